import styles from './details.module.css';

const WIDTH = 100;
const HEIGHT = 30;

/** A series as a small line; absent values are gaps. The text beside it says what it is. */
export function Sparkline({
  values,
  className = styles.spark ?? '',
}: {
  readonly values: readonly (number | null)[];
  readonly className?: string;
}) {
  return (
    <svg
      viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      className={className}
      aria-hidden="true"
    >
      <path d={pathOf(values)} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

function pathOf(values: readonly (number | null)[]): string {
  const numbers = values.filter((value) => value !== null);
  const low = Math.min(...numbers);
  const span = Math.max(...numbers) - low || 1;
  let isDrawing = false;
  const parts: string[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    const x = (index / Math.max(1, values.length - 1)) * WIDTH;
    const y = HEIGHT * (1 - (value - low) / span);
    parts.push(`${isDrawing ? 'L' : 'M'}${x.toFixed(2)} ${y.toFixed(2)}`);
    isDrawing = true;
  }
  return parts.join('');
}
