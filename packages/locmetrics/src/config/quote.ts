/** Quotes a text and makes control characters visible. */
export function quote(text: string): string {
  return `'${text.slice(0, SHOWN_LENGTH_MAX).replaceAll(/\p{Cc}/gu, '\u{fffd}')}'`;
}

const SHOWN_LENGTH_MAX = 200;
