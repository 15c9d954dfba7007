/** Codes that another program has changed before the file was written, such as 8.96529E+19. */
export type Damage = {
  /** Whether they are codes, rather than numbers that were rounded. */
  readonly isCode: boolean;
  readonly doubt: string;
};

/** Numbers whose last digits a spreadsheet or a program has lost; undefined if there are none. */
export function findDamage(
  texts: readonly string[],
  { isCodeName }: { readonly isCodeName: boolean },
): Damage | undefined {
  const digits = texts.map((text) => text.trim());
  const rounded = digits.filter((text) => EXPONENT.test(text));
  if (
    rounded.length > 0 &&
    digits.every((text) => EXPONENT.test(text) || /^\d+([.]0+)?$/.test(text))
  ) {
    const exponents = rounded.map((text) => Number(EXPONENT.exec(text)?.[1]));
    const least = Math.min(...exponents);
    const isCode = isCodeName || least >= DIGITS_KEPT - 1;
    // A spreadsheet writes longer numbers so, as far as the width of their column allows.
    if (!isCode && least < SHOWN_DIGITS) return undefined;
    const found = `written with an exponent before they reached this file: ${examplesOf(rounded, digits)}. Their other digits are lost`;
    return {
      isCode,
      doubt: isCode
        ? `Codes that were ${found}, and different codes can have become one. Export them again as text.`
        : `Numbers that were ${found}. Export them again in full.`,
    };
  }
  const long = digits.filter((text) => new RegExp(`^\\d{${DIGITS_KEPT + 1},}$`).test(text));
  const cut = long.filter((text) => /^0+$/.test(text.slice(DIGITS_KEPT)));
  if (cut.length === 0 || cut.length < long.length) return undefined;
  return {
    isCode: true,
    doubt: `Codes with more than ${DIGITS_KEPT} digits that end in zeros: ${examplesOf(cut, digits)}. A spreadsheet keeps ${DIGITS_KEPT} digits, so the others seem to be lost, and different codes can have become one. Export them again as text.`,
  };
}

const EXPONENT = /^\d(?:[.,]\d+)?[eE]\+?(\d+)$/;

/** The digits that a spreadsheet keeps of a number. */
const DIGITS_KEPT = 15;

/** From this exponent on, the digits of a number do not fit into a column of a spreadsheet. */
const SHOWN_DIGITS = 11;

function examplesOf(some: readonly string[], all: readonly string[]): string {
  const shown = some.slice(0, 3).map((text) => `'${text}'`);
  return `${some.length} of ${all.length} different ones, such as ${shown.join(', ')}`;
}

/** Ranges that a spreadsheet has made dates of: 10-14 is 14-Oct. Undefined if there are none. */
export function findDatedRanges(texts: readonly string[]): string | undefined {
  const trimmed = texts.map((text) => text.trim());
  const dated = trimmed.filter((text) => DATED.test(text));
  const ranges = trimmed.filter((text) => /^\d{1,3}\s?[-–]\s?\d{1,3}$/.test(text));
  if (dated.length === 0 || ranges.length === 0 || dated.length > ranges.length) return undefined;
  const shown = dated.slice(0, 3).map((text) => `'${text}'`);
  return `A spreadsheet seems to have made dates of ranges: ${shown.join(', ')} beside '${ranges[0] ?? ''}'. Correct them in the source.`;
}

const DATED =
  /^(\d{1,2}[-. ](jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[-. ]\d{1,2})$/i;
