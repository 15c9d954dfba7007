import { isNumberText } from './formatted-numbers.ts';

/** What statistics offices write behind a number to say something about it, with the pattern of the engine. */
const KINDS = [
  { pattern: /^([bcdefinprsuvz]|[bcdepruz]{2,3})$/, sql: '[a-z]+' },
  { pattern: /^(\*{1,3}|[†‡¹²³#§])$/, sql: '[*†‡¹²³#§]+' },
  { pattern: /^[([][\p{L}\d*]{1,3}[)\]]$/u, sql: '[(\\[][^)\\]]+[)\\]]' },
];
const SPACED = /^(.*\S)\s+(\S+)$/;
const CLOSE = /^(.*?\d)(\*{1,3}|[†‡¹²³#§]|[([][\p{L}\d*]{1,3}[)\]])$/u;
/** Without a space, a letter can be that of a house: only a fraction makes a number of it. */
const CLOSE_LETTERS = /^(.*\d[.,]\d+)([a-z]{1,2})$/;
/** What stands for an absent number before a flag. */
export const ABSENT = ':';

type FlaggedText = {
  /** Empty if there is only a flag, such as `: c`. */
  readonly number: string;
  /** Empty if there is none. */
  readonly flag: string;
};

function divideFlag(text: string): FlaggedText | undefined {
  const whole = text.trim();
  const [, before = '', flag = ''] =
    SPACED.exec(whole) ?? CLOSE.exec(whole) ?? CLOSE_LETTERS.exec(whole) ?? [];
  if (!KINDS.some(({ pattern }) => pattern.test(flag))) {
    return isNumberText(whole) ? { number: whole, flag: '' } : undefined;
  }
  if (before === ABSENT) return { number: '', flag };
  return isNumberText(before) ? { number: before, flag } : undefined;
}

/** Texts without the flags of numbers, and without those that have no number. */
export function withoutFlags(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const { number = text } = divideFlag(text) ?? {};
    return number === '' ? [] : number;
  });
}

export type FoundFlags = {
  readonly numbers: readonly string[];
  /** Each flag with a text that has it. */
  readonly flags: ReadonlyMap<string, string>;
};

/** The numbers of texts of which only some have a flag; undefined for others: a letter behind all numbers is a unit. */
export function findFlags(texts: readonly string[]): FoundFlags | undefined {
  const flags = new Map<string, string>();
  const numbers: string[] = [];
  let hasPlain = false;
  for (const text of texts) {
    const part = divideFlag(text);
    if (part === undefined) return undefined;
    if (part.number !== '') numbers.push(part.number);
    if (part.flag === '') hasPlain = true;
    else if (!flags.has(part.flag)) flags.set(part.flag, text.trim());
  }
  const isFound = flags.size > 0 && flags.size <= FLAGS_MAX && hasPlain && numbers.length > 1;
  return isFound ? { numbers, flags } : undefined;
}

const FLAGS_MAX = 20;

/** The pattern of the engine for the kinds of these flags at the end of a text. */
export function flagPattern({ flags }: FoundFlags): string {
  const kinds = KINDS.filter(({ pattern }) => [...flags.keys()].some((flag) => pattern.test(flag)));
  return `\\s*(${kinds.map(({ sql }) => sql).join('|')})$`;
}

/** Whether some flags have no number, but a mark for an absent one. */
export function haveAbsent({ flags }: FoundFlags): boolean {
  return [...flags.values()].some((text) => text.startsWith(ABSENT));
}
