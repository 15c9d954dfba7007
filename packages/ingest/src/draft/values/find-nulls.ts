import { CODE_NAME } from './code-names.ts';
import { withoutFlags } from './flagged-numbers.ts';
import { isCountedName } from './measure-kind.ts';
import type { AbsentTexts } from './open-rows.ts';
import { proposals } from './propose-types.ts';
import { snake } from './valid-name.ts';

/** Texts that stand for an absent value, wherever they are. */
const CLEAR_NULLS = new Set([
  'NaN',
  'nan',
  '<undefined>',
  'undefined',
  'null',
  'NULL',
  '#N/A',
  '#NV',
  '#DIV/0!',
  '#VALUE!',
  '#REF!',
  '#NAME?',
  '#NUM!',
  '#NULL!',
  '#WERT!',
  '#BEZUG!',
  'N/A',
  'n/a',
  '\\N',
  '(null)',
]);

/** Texts that stand for an absent value in columns of numbers and dates, in lower case. */
const NULL_WORDS =
  /^(na|n\.a\.?|n\. a\.|none|nil|null|nd|n\.d\.?|n\/d|n\.v\.?|n\. v\.|n\/v|nv|n\.b\.?|n\.c\.?|n\/c|nc|s\.d\.?|s\/d|s\.o\.?|b\.d\.?|k\. ?a\.?|ka|keine angaben?|no data|not available|not applicable|missing|unknown|unbekannt|suppressed|withheld|redacted|unreliable|ice|eqp|bkw|ssn|confidential|sin datos?|sem dados?|non disponible|brak danych|\(blank\)|[<≤] ?\d{1,2}|(less|fewer) than \d+|below \d+|weniger als \d+|moins de \d+|menos de \d+|meno di \d+|minder dan \d+|\d{1,3}(,\d{3})+[+-]|\([a-z]{1,2}\)|\[[a-z]{1,3}\]|x|\?+|\*+|[-–—]+|\.{2,}[a-z]?|\.|…|:|\/+|•|·|#{3,})$/i;

/** Those of them that are none of the values of a column that has nothing else. */
const ONLY_WORDS =
  /^(na|n\.a\.?|nil|null|no data|not available|not applicable|missing|k\. ?a\.?|keine angaben?|sin datos?|sem dados?|non disponible|brak danych)$/i;

/** Of these, NA is North America or Namibia. */
const AREA_NAME = /(^|_)(continent|country|nation|region|state|territory|area|name)($|_)/;

/** Letters that statistics offices write instead of a number, but that can also be a value. */
const NULL_LETTERS = /^[csuzd]$/i;

/** The texts of columns that stand for an absent value. */
export function findNulls(
  columns: readonly { readonly name: string; readonly texts: readonly string[] }[],
  { isPerColumn = false } = {},
): AbsentTexts {
  const trimmed = columns.map(({ texts }) => texts.map((text) => text.trim()));
  const alone = columns.map(({ name }, index) => nullsOf(name, trimmed[index] ?? []));
  // A number such as -999 that is absent in several columns is absent also where no other number is negative.
  const proven = alone
    .flat()
    .filter((text, index, all) => SENTINEL.test(text) && all.indexOf(text) !== index);
  const own = alone.map((nulls, index) => {
    const texts = trimmed[index] ?? [];
    const negative = texts.filter((text) => text.startsWith('-'));
    const isOnly = negative.every((text) => proven.includes(text));
    return isOnly ? [...new Set([...nulls, ...negative])] : nulls;
  });
  const isValue = (text: string) =>
    isPerColumn ||
    trimmed.some((texts, index) => texts.includes(text) && own[index]?.includes(text) !== true);
  const everywhere = [...new Set(own.flat())].filter((text) => !isValue(text));
  const inColumn = own.flatMap(
    (texts, index): readonly (readonly [number, readonly string[]])[] => {
      const values = texts.filter(isValue);
      return values.length === 0 ? [] : [[index, values]];
    },
  );
  return { everywhere, inColumn: new Map(inColumn) };
}

function nullsOf(name: string, all: readonly string[]): readonly string[] {
  const texts = withoutFlags(all);
  const known = knownNulls(name, texts);
  const rest = texts.filter((text) => !known.includes(text));
  const words = wordsBetweenNumbers(name, rest);
  return [...known, ...words, ...findSentinels(rest)];
}

function knownNulls(name: string, texts: readonly string[]): readonly string[] {
  const isKnown = (text: string) => CLEAR_NULLS.has(text) || NULL_WORDS.test(text);
  const suspects = texts.filter(isKnown);
  const isNamed = CODE_NAME.test(snake(name)) || AREA_NAME.test(snake(name));
  if (!isNamed && texts.every((text) => CLEAR_NULLS.has(text) || ONLY_WORDS.test(text)))
    return texts;
  const others = texts.filter((text) => !isKnown(text));
  const letters = others.filter((text) => NULL_LETTERS.test(text));
  const words = others.filter((text) => !letters.includes(text) && /^[^\d]+$/.test(text));
  const values = others.filter((text) => !letters.includes(text) && !words.includes(text));
  const [best] = values.length === 0 ? [] : proposals('', values);
  if (best === undefined || best.document.type === 'string' || words.length > WORDS_MAX) {
    return suspects.filter((text) => CLEAR_NULLS.has(text));
  }
  const areMeasured = values.length >= NUMBERS_MIN || isWritten(best.document);
  return areMeasured && letters.length <= 2 && !CODE_NAME.test(snake(name))
    ? [...suspects, ...letters]
    : letters.length === 0
      ? suspects
      : suspects.filter((text) => CLEAR_NULLS.has(text));
}

/** Words of a column that has numbers else, such as closed, or the unit in a second row of the header. */
function wordsBetweenNumbers(name: string, texts: readonly string[]): readonly string[] {
  const words = texts.filter((text) => /^[^\d]+$/.test(text));
  const numbers = texts.filter((text) => !words.includes(text));
  if (words.length === 0 || words.length > WORDS_MAX || CODE_NAME.test(snake(name))) return [];
  // Beside hours or ages it is the sum of them.
  if (words.some((word) => TOTAL_WORD.test(word))) return [];
  const [best] = numbers.length === 0 ? [] : proposals('', numbers);
  if (best?.document.type !== 'integer' && best?.document.type !== 'float') return [];
  // Separators and signs make numbers of measures, and not of classes.
  if (isWritten(best.document)) return numbers.length > words.length ? words : [];
  // The texts are in the order of their frequency: a frequent word means something.
  if (!isCountedName(name) && words.some((word) => texts.indexOf(word) * 2 < texts.length))
    return [];
  return numbers.length >= NUMBERS_MIN ? words : [];
}

/** Whether numbers have a fraction, a separator or a sign. */
function isWritten({ type, format }: { readonly type: string; readonly format?: string }): boolean {
  return type === 'float' || (type === 'integer' && format !== undefined);
}

const TOTAL_WORD =
  /^((grand )?totals?|totale|totaal|all|all day|overall|sum|gesamt|insgesamt|summe|todos|todas|tous|toutes)$/i;
const WORDS_MAX = 2;
const NUMBERS_MIN = 10;

/** -999, 99.99 and the like in a column whose other numbers are far from it. */
function findSentinels(texts: readonly string[]): readonly string[] {
  const sentinels = texts.filter((text) => SENTINEL.test(text) || NINES.test(text));
  const others = texts.filter((text) => !sentinels.includes(text) && /^[+-]?\d/.test(text));
  if (sentinels.length === 0 || sentinels.length > SENTINELS_MAX) return [];
  // Weather stations that do not measure something have nothing else.
  if (texts.length === 1) return texts.filter((text) => /^(9{2,}[.]9+|-9{3,}([.]0+)?)$/.test(text));
  const numbers = others.map((text) => Number(text.replace(',', '.')));
  const least = Math.min(...numbers);
  const greatest = Math.max(...numbers.map(Math.abs));
  return sentinels.filter((text) => {
    const value = Number(text.replace(',', '.'));
    if (value > 0) return others.length >= SENTINEL_OTHERS_MIN && greatest < value / FAR;
    const isLong = value <= -9999;
    return others.length >= (isLong ? 1 : SENTINEL_OTHERS_MIN) && least > value / FAR;
  });
}

/** Statistics offices tell reasons apart: -99997 of the Netherlands, and -666666666 of the USA. */
const SENTINEL = /^-((9{3,}|9{4,}[0-8]|([2-8])\3{5,})([.,]0+)?|9{2,}[.,][09]+)$/;
const SENTINELS_MAX = 6;
/** With a fraction, as no count has it. */
const NINES = /^9{2,}[.,]9+$/;
const SENTINEL_OTHERS_MIN = 3;
const FAR = 5;
