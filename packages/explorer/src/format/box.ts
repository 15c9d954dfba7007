/** A box in words: 36.00° N to 42.00° N, 124.00° W to 114.00° W. */
export function formatBox([west, south, east, north]: readonly [
  number,
  number,
  number,
  number,
]): string {
  return `${formatLatitude(south)} to ${formatLatitude(north)}, ${formatLongitude(west)} to ${formatLongitude(east)}`;
}

function formatLatitude(degrees: number): string {
  return `${Math.abs(degrees).toFixed(2)}° ${degrees < 0 ? 'S' : 'N'}`;
}

function formatLongitude(degrees: number): string {
  return `${Math.abs(degrees).toFixed(2)}° ${degrees < 0 ? 'W' : 'E'}`;
}
