/** A number of bytes in the largest unit that divides it: `1 MiB`, `500 KiB`, `100 bytes`. */
export function sizeText(bytes: number): string {
  const power = bytes === 0 ? 0 : UNITS.findLastIndex((_, index) => bytes % 1024 ** index === 0);
  return `${bytes / 1024 ** power} ${UNITS[power]}`;
}

/** Any number of bytes in readable form, rounded to three digits: `1.01 MiB`. */
export function roundedSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  return `${Number((bytes / 2 ** (10 * power)).toPrecision(3))} ${UNITS[power]}`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
