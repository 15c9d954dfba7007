/** Codes that another program has changed before the file was written, such as 8.96529E+19. */
export type Damage = {
  /** Whether no measure is written so. */
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
    const isCode = isCodeName || Math.min(...exponents) >= DIGITS_KEPT;
    if (!isCode) return undefined;
    return {
      isCode,
      doubt: `${examplesOf(rounded, digits)} were written with an exponent before they reached this file, so their other digits are lost, and different codes can have become one. Export them again as text.`,
    };
  }
  const long = digits.filter((text) => new RegExp(`^\\d{${DIGITS_KEPT + 1},}$`).test(text));
  const cut = long.filter((text) => /^0+$/.test(text.slice(DIGITS_KEPT)));
  if (cut.length < 2 && cut.length < long.length) return undefined;
  if (cut.length === 0 || cut.length < long.length) return undefined;
  return {
    isCode: true,
    doubt: `${examplesOf(cut, digits)} have more than ${DIGITS_KEPT} digits and end in zeros: a spreadsheet keeps ${DIGITS_KEPT} digits, so the last ones seem to be lost, and different codes can have become one. Export them again as text.`,
  };
}

const EXPONENT = /^\d(?:[.,]\d+)?[eE]\+?(\d+)$/;

/** The digits that a spreadsheet keeps of a number. */
const DIGITS_KEPT = 15;

function examplesOf(some: readonly string[], all: readonly string[]): string {
  const shown = some.slice(0, 3).map((text) => `'${text}'`);
  const more = some.length > shown.length ? ` and ${some.length - shown.length} more` : '';
  return `${some.length} of ${all.length} different codes, such as ${shown.join(', ')}${more},`;
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
