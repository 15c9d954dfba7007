/** How dates are written: the parts of the format in order, texts between them included. */
export type DateFormat = {
  /** The text of the manifest, for messages. */
  readonly written: string;
  readonly parts: readonly DatePart[];
  /** The zone whose day is meant, for times with an offset; `local` for the day as it is written. */
  readonly zone?: string | undefined;
};

export const LOCAL_ZONE = 'local';

export type DatePart =
  | { readonly token: DateToken; readonly text?: undefined }
  | { readonly token?: undefined; readonly text: string };

/** The tokens of the format, as in Day.js, with their meaning; a longer one before one that begins it. */
const KINDS = {
  YYYY: 'year',
  YY: 'year',
  MMMM: 'month',
  MMM: 'month',
  MM: 'month',
  M: 'month',
  DD: 'day',
  D: 'day',
  Q: 'quarter',
  WW: 'week',
  W: 'week',
  HH: 'hour',
  H: 'hour',
  hh: 'hour',
  h: 'hour',
  mm: 'minute',
  ss: 'second',
  SSS: 'fraction',
  A: 'half of the day',
  Z: 'offset',
} as const;

export type DateToken = keyof typeof KINDS;

// The keys of the constant table are exactly the tokens.
export const DATE_TOKENS = Object.keys(KINDS) as readonly DateToken[];

/**
 * Parses a format such as `MM/DD/YYYY hh:mm:ss A`. Letters that are no tokens are in brackets: `YYYY-[Q]Q`. Returns
 * what is wrong with it instead.
 */
export function parseDateFormat(
  written: string,
): { readonly parts: readonly DatePart[] } | { readonly problem: string } {
  const parts: DatePart[] = [];
  for (let rest = written; rest !== ''; ) {
    const [quoted, text] = /^\[([^\]]*)\]/.exec(rest) ?? [];
    if (quoted !== undefined && text !== undefined) {
      parts.push({ text });
      rest = rest.slice(quoted.length);
      continue;
    }
    const token = DATE_TOKENS.find((candidate) => rest.startsWith(candidate));
    const [character = ''] = rest;
    if (token !== undefined) parts.push({ token });
    else if (/[a-z]/i.test(character) && character !== 'T') {
      return { problem: `'${character}' in it has no meaning` };
    } else parts.push({ text: character });
    rest = rest.slice(token?.length ?? character.length);
  }
  const problem = findProblem(parts.flatMap(({ token }) => token ?? []));
  return problem === undefined ? { parts } : { problem };
}

function findProblem(tokens: readonly DateToken[]): string | undefined {
  const kinds: readonly string[] = tokens.map((token) => KINDS[token]);
  const repeated = kinds.find((kind, index) => kinds.indexOf(kind) !== index);
  if (repeated !== undefined) return `it has the ${repeated} twice`;
  const has = (kind: string): boolean => kinds.includes(kind);
  if (!has('year')) return 'it has no year YYYY or YY';
  if (has('day') && !has('month')) return 'it has a day but no month';
  const units = ['month', 'quarter', 'week'].filter(has);
  if (units.length > 1) return `it has a ${units.join(' and a ')}`;
  const isHalf = tokens.includes('hh') || tokens.includes('h');
  if (isHalf !== has('half of the day')) return 'hh and A belong together';
  if (has('hour') && !has('day')) return 'it has an hour but no day';
  return undefined;
}

/** Whether a format has a token. */
export function hasToken({ parts }: Pick<DateFormat, 'parts'>, token: DateToken): boolean {
  return parts.some((part) => part.token === token);
}
