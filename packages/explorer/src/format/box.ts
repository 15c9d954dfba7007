/** A box in words: 37.7 … 37.8 N, 122.5 … 122.4 W. Its edges are west, south, east and north in degrees. */
export function formatBox([west, south, east, north]: readonly [
  number,
  number,
  number,
  number,
]): string {
  return `${formatEdges(south, north, 'N', 'S')}, ${formatEdges(west, east, 'E', 'W')}`;
}

function formatEdges(low: number, high: number, plus: string, minus: string): string {
  const sides = [low, high].map((edge) => (edge < 0 ? minus : plus));
  const [from, to] = [low, high].map((edge) => String(Math.abs(Number(edge.toFixed(4)))));
  return sides[0] === sides[1]
    ? `${from} … ${to} ${sides[0]}`
    : `${from} ${sides[0]} … ${to} ${sides[1]}`;
}
