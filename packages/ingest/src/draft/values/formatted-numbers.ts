import { isCountedName, measureKind } from './measure-kind.ts';
import type { FieldDocument, ReadRows } from './open-rows.ts';

/** A way to read a column of numbers. */
type NumberProposal = { readonly document: FieldDocument; readonly doubts?: readonly string[] };

/** What decides between the two meanings of a separator that three digits follow. */
export type NumberContext = {
  readonly name: string;
  /** The decimal separator of other columns of the file. */
  readonly decimalMark: ReadRows['decimalMark'];
  /** Whether semicolons divide the values of the file, because commas are in its numbers. */
  readonly hasSemicolons?: boolean;
};

type Mark = NonNullable<ReadRows['decimalMark']>;

/** How numbers can be written, with the sign around them as it is in the values. */
export function formattedNumbers(
  texts: readonly string[],
  context: NumberContext,
): readonly NumberProposal[] {
  const parts = texts.map(divide);
  if (parts.some((part) => part === undefined)) return [];
  const before = commonSign(parts.map((part) => part?.before ?? ''));
  const after = commonSign(parts.map((part) => part?.after ?? ''));
  if (before === undefined || after === undefined) return [];
  const numbers = parts.map((part) => part?.number ?? '');
  const write = (core: string) => `${before}${core}${after}`;
  const cores = NUMBER_CORES.filter(({ pattern }) => numbers.every((text) => pattern.test(text)));
  const found = cores.map(
    ({ core, hasFraction }): NumberProposal => ({
      document: { type: hasFraction ? 'float' : 'integer', format: write(core) },
    }),
  );
  const unclear = MARKS.find((mark) => areUnclear(numbers, mark));
  if (unclear === undefined || !cores.some(({ core }) => core === `1${unclear}234`)) return found;
  const isDivided = divideThousands(numbers, unclear, { ...context, after });
  const doubts = [unclearText(numbers, unclear, { isDivided, context, write })];
  const chosen = write(isDivided ? `1${unclear}234` : `1234${unclear}5`);
  return [
    ...found.flatMap((one) => (one.document.format === chosen ? { ...one, doubts } : [])),
    ...found.filter(({ document }) => document.format !== chosen),
  ];
}

/** Numbers with a point, of which each has three digits after it, could be thousands: 1.076. */
export function pointNumbers(
  texts: readonly string[],
  context: NumberContext,
): readonly NumberProposal[] {
  const numbers = texts.map((text) => text.trim().replace(/^[+-]/, ''));
  const plain: NumberProposal = { document: { type: 'float' } };
  const isWhole = numbers.every((text) => /^([1-9]\d{0,2}(\.\d{3})+|\d+)$/.test(text));
  if (!isWhole || !numbers.some((text) => text.includes('.'))) return [plain];
  const divided: NumberProposal = { document: { type: 'integer', format: '1.234' } };
  if (!areUnclear(numbers, '.')) return [divided, plain];
  const isDivided = divideThousands(numbers, '.', { ...context, after: '' });
  const doubts = [unclearText(numbers, '.', { isDivided, context, write: (core) => core })];
  return isDivided ? [{ ...divided, doubts }, plain] : [{ ...plain, doubts }];
}

/** The decimal separator that some columns show without doubt, such as 2,5; undefined if there is none, or both. */
export function findDecimalMark(
  columns: readonly { readonly texts: readonly string[] }[],
): NumberContext['decimalMark'] {
  const shown = columns.map(({ texts }): Mark | undefined => {
    const numbers = texts.flatMap((text) => divide(text)?.number ?? []);
    if (numbers.length * 2 < texts.length) return undefined;
    const shows = (mark: Mark) => {
      const other = mark === '.' ? ',' : '.';
      const decimals = new RegExp(`^(\\d+[${mark}](\\d{1,2}|\\d{4,})|0[${mark}]\\d+)$`);
      const thousands = new RegExp(
        `^\\d{1,3}([${other}]\\d{3}){2,}$|^\\d{1,3}([${other}]\\d{3})+[${mark}]\\d+$`,
      );
      return numbers.some((text) => decimals.test(text) || thousands.test(text));
    };
    const marks = MARKS.filter(shows);
    return marks.length === 1 ? marks[0] : undefined;
  });
  const marks = new Set(shown.filter((mark) => mark !== undefined));
  return marks.size === 1 ? [...marks][0] : undefined;
}

const MARKS = ['.', ','] as const;

/** Whether a text is a number in some way of writing it. */
export function isNumberText(text: string): boolean {
  const part = divide(text);
  return part !== undefined && isSign(part.before) && isSign(part.after);
}

type Divided = { readonly before: string; readonly number: string; readonly after: string };

/** A number and what is around it. */
function divide(text: string): Divided | undefined {
  const part = /^([^\d+-]*)[+-]?([^\d]*)([\d.,'’ \u00a0\u202f]*\d)(.*)$/.exec(text.trim());
  if (part === null) return undefined;
  const [, first = '', second = '', number = '', after = ''] = part;
  return { before: `${first}${second}`.trim(), number, after };
}

/** Whether three digits follow each separator, and nothing shows whether it divides thousands or decimals. */
function areUnclear(numbers: readonly string[], mark: Mark): boolean {
  const marked = numbers.filter((text) => text.includes(mark));
  return marked.length > 0 && marked.every((text) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(text));
}

/** Whether such a separator rather divides thousands. */
function divideThousands(
  numbers: readonly string[],
  mark: Mark,
  { name, decimalMark, hasSemicolons = false, after }: NumberContext & { readonly after: string },
): boolean {
  if (/[%‰°]/.test(after)) return false;
  const marked = numbers.filter((text) => text.includes(mark)).length;
  const isCount = isCountedName(name);
  const isMean = measureKind({ name, type: 'float', least: 0 }) === 'mean';
  // Decimals mostly have a value with fewer digits after the separator.
  if (marked < numbers.length)
    return decimalMark !== mark || isCount || (!isMean && marked >= MARKED_MIN);
  if (decimalMark !== undefined) return decimalMark !== mark;
  return isCount || (!isMean && mark === (hasSemicolons ? '.' : ','));
}

const MARKED_MIN = 4;

function unclearText(
  numbers: readonly string[],
  mark: Mark,
  {
    isDivided,
    context: { decimalMark },
    write,
  }: {
    readonly isDivided: boolean;
    readonly context: NumberContext;
    readonly write: (core: string) => string;
  },
): string {
  const example = numbers.find((text) => text.includes(mark)) ?? '';
  const long = numbers.find((text) => /^\d{4,}$/.test(text));
  const other =
    decimalMark === undefined
      ? ''
      : ` Other columns have '${decimalMark}' as the decimal separator.`;
  const without = long === undefined ? '' : ` But ${long} has no separator.`;
  const plain = mark === '.' ? '' : `format: '${write(`1234${mark}5`)}', `;
  return isDivided
    ? `Each separator has three digits after it, so it is read as a thousands separator: ${example} is ${example.replace(mark, '')}.${without}${other} If it is the decimal separator: ${plain}type: float${mark === '.' ? ', without format' : ''}.`
    : `Each separator has three digits after it, but it is read as the decimal separator.${other} If it is a thousands separator, so that ${example} is ${example.replace(mark, '')}: format: '${write(`1${mark}234`)}', type: integer.`;
}

/** The sign that values have, or may lack. */
function commonSign(signs: readonly string[]): string | undefined {
  const different = [...new Set(signs.map((one) => one.trim()))].filter((one) => one !== '');
  if (different.length > 1) return undefined;
  const [one = ''] = different;
  const spaced = signs.find((text) => text.trim() === one) ?? one;
  return isSign(spaced) ? spaced : undefined;
}

function isSign(text: string): boolean {
  const sign = text.trim();
  return sign === '' || SIGN.test(sign) || UNIT.test(text);
}

/** Letters next to a number can be a code, such as A12: only known currencies, or a unit after a space. */
const SIGN = /^([%‰°]|\p{Sc}|CHF|USD|EUR|GBP|CAD|AUD|US\$|R\$|Fr\.|kr|km|kg)$/u;
const UNIT = /^\s[\p{L}°²³/]{1,4}$/u;

const NUMBER_CORES = [
  { core: '1234', pattern: /^\d+$/, hasFraction: false },
  { core: '1,234', pattern: /^([1-9]\d{0,2}(,\d{3})+|\d+)$/, hasFraction: false },
  { core: '1.234', pattern: /^([1-9]\d{0,2}(\.\d{3})+|\d+)$/, hasFraction: false },
  { core: '1’234', pattern: /^(\d{1,3}(['’]\d{3})+|\d+)$/, hasFraction: false },
  { core: '1 234', pattern: /^(\d{1,3}([ \u00a0\u202f]\d{3})+|\d+)$/, hasFraction: false },
  { core: '1234.5', pattern: /^\d+(\.\d+)?$/, hasFraction: true },
  { core: '1,234.5', pattern: /^([1-9]\d{0,2}(,\d{3})+|\d+)(\.\d+)?$/, hasFraction: true },
  { core: '1234,5', pattern: /^\d+(,\d+)?$/, hasFraction: true },
  { core: '1.234,5', pattern: /^([1-9]\d{0,2}(\.\d{3})+|\d+)(,\d+)?$/, hasFraction: true },
  { core: '1’234.5', pattern: /^(\d{1,3}(['’]\d{3})+|\d+)(\.\d+)?$/, hasFraction: true },
  { core: '1 234,5', pattern: /^(\d{1,3}([ \u00a0\u202f]\d{3})+|\d+)(,\d+)?$/, hasFraction: true },
  { core: '1 234.5', pattern: /^(\d{1,3}([ \u00a0\u202f]\d{3})+|\d+)(\.\d+)?$/, hasFraction: true },
];
