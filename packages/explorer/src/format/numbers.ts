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

/** A number in few characters, for axes and legends: 1.2M. */
export function formatCompact(value: number): string {
  return COMPACT.format(value);
}

const BYTE_UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** A size in powers of 1,000: 1.2 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${formatCount(bytes)} B`;
  const power = Math.min(BYTE_UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toFixed(value < 10 ? 1 : 0)} ${BYTE_UNITS[power - 1]}`;
}

/** A number of things: 1 record, 2,000 records. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** How many of a list are shown: `3 of 500 datasets`. */
export function countShown(shown: number, all: number, what: string): string {
  return shown === all
    ? `${formatCount(all)} ${what}`
    : `${formatCount(shown)} of ${formatCount(all)} ${what}`;
}
