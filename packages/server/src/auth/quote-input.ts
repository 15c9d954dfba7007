const SHOWN_MAX = 80;

/**
 * Quotes input for a message: long input is shortened, and characters that would break a line of the
 * terminal or the log are escaped.
 */
export function quoteInput(text: string): string {
  const shown = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
  return `'${shown.replaceAll(UNPRINTABLE, '\u{fffd}')}'`;
}

/** Control characters, line separators and lone surrogates. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;
