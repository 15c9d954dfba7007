/** A number of bytes in readable form: `1 MiB`, `500 KiB`, `100 bytes`. */
export function sizeText(bytes: number): string {
  if (bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20} MiB`;
  return bytes % 2 ** 10 === 0 ? `${bytes / 2 ** 10} KiB` : `${bytes} bytes`;
}

/** Any number of bytes in readable form, rounded to three digits: `1.01 MiB`. */
export function roundedSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  return `${Number((bytes / 2 ** (10 * power)).toPrecision(3))} ${UNITS[power]}`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
