/**
 * Parses a whole number from a query string, in every notation of JSON, so that both forms of a request
 * accept the same; undefined if it is not one.
 */
export function readInteger(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const number = toFinite(Number(text));
  return Number.isInteger(number) ? number : undefined;
}

const NUMBER = /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** Replaces infinity, the parsed value of a number beyond 1.8e308, by the greatest double. */
export function toFinite(number: number): number {
  return Math.min(Math.max(number, -Number.MAX_VALUE), Number.MAX_VALUE);
}
