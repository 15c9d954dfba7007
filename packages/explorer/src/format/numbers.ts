const COUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const VALUE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** A whole number with separators: 242,335. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** A measured number with separators and up to six digits after the point. */
export function formatNumber(value: number): string {
  return VALUE.format(value);
}

/** A number in few signs, for axes and legends: 1.2M. */
export function formatCompact(value: number): string {
  return COMPACT.format(value);
}
