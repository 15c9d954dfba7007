/**
 * A whole number from an address, in each way in which a number of JSON can be one, so that both forms of a
 * request take the same; undefined where it is none.
 */
export function readInteger(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const number = toFinite(Number(text));
  return Number.isInteger(number) ? number : undefined;
}

const NUMBER = /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** One beyond 1.8e308, which is read as infinite, as the greatest that there is: too many all the same. */
export function toFinite(number: number): number {
  return Math.min(Math.max(number, -Number.MAX_VALUE), Number.MAX_VALUE);
}
