const SHOWN_MAX = 80;

/**
 * What somebody typed, in quotes, for a message: cut when long, and with what would break a line of
 * the terminal or the log made visible.
 */
export function quoteInput(text: string): string {
  const shown = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
  return `'${shown.replaceAll(UNPRINTABLE, '\u{fffd}')}'`;
}

/** Control characters, line separators and halves of surrogate pairs. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;
