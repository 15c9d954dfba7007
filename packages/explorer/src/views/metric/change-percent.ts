const PERCENT = new Intl.NumberFormat('en-US', {
  maximumFractionDigits: 1,
  minimumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** The least change that is shown as a number: a smaller one would read as +0.0. */
const LEAST = 0.05;

/** A change in per cent in words; a change that is too small for its number has no direction. */
export function changePercent(percent: number): {
  readonly text: string;
  readonly falls: boolean;
} {
  if (percent !== 0 && Math.abs(percent) < LEAST) return { text: '< 0.1 %', falls: false };
  return { text: `${PERCENT.format(percent)} %`, falls: percent < 0 };
}
