/** How numbers are written: what is between thousands, before the fraction, and around the number. */
export type NumberFormat = {
  /** The text of the manifest, for messages. */
  readonly written: string;
  /** One character, or empty for none. */
  readonly group: string;
  /** One character. A number without a fraction has none. */
  readonly decimal: string;
  /** A sign such as $ or %, before or after the number; empty for none. */
  readonly before: string;
  readonly after: string;
};

/** Parses a format such as `1.234,5 €`: the number 1234 or 1234.5 as the file writes it. Undefined if it is none. */
export function parseNumberFormat(written: string): NumberFormat | undefined {
  const [, before = '', group = '', fraction = '', after = ''] = PATTERN.exec(written.trim()) ?? [];
  if (!PATTERN.test(written.trim())) return undefined;
  const decimal = fraction.slice(0, 1);
  if (decimal !== '' && decimal === group) return undefined;
  const affixes = before + after;
  const separators = [group, decimal].filter((character) => character !== '' && character !== ' ');
  if (separators.some((character) => affixes.includes(character))) return undefined;
  return {
    written,
    group,
    decimal: decimal === '' ? (group === '.' ? ',' : '.') : decimal,
    before: before.trim(),
    after: after.trim(),
  };
}

const GROUP = "[.,'’ \\u00a0\\u202f_]?";
const AFFIX = '[^0-9+-]{0,8}?';
const PATTERN = new RegExp(`^(${AFFIX})1(${GROUP})234([.,]5)?(${AFFIX})$`, 'u');
