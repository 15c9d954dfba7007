import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { DATE_FORMATS, type KnownDateFormat } from '../files/date-formats.ts';

/** From Sunday on: English, German, French, Spanish, Portuguese, Italian, Dutch, Danish and Swedish. */
const WEEKDAYS = [
  'sunday monday tuesday wednesday thursday friday saturday',
  'sun mon tue wed thu fri sat',
  'sun mon tues weds thur fri sat',
  'sun mon tue wed thurs fri sat',
  'sonntag montag dienstag mittwoch donnerstag freitag samstag',
  'so mo di mi do fr sa',
  'dimanche lundi mardi mercredi jeudi vendredi samedi',
  'dim lun mar mer jeu ven sam',
  'domingo lunes martes miércoles jueves viernes sábado',
  'dom lun mar mié jue vie sáb',
  'domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado',
  'domenica lunedì martedì mercoledì giovedì venerdì sabato',
  'dom lun mar mer gio ven sab',
  'zondag maandag dinsdag woensdag donderdag vrijdag zaterdag',
  'zo ma di wo do vr za',
  'søndag mandag tirsdag onsdag torsdag fredag lørdag',
  'söndag måndag tisdag onsdag torsdag fredag lördag',
].map((names) => names.split(' '));

const NAME = `(?:${WEEKDAYS.flat()
  .toSorted((left, right) => right.length - left.length)
  .join('|')})[.]?`;

type Decoration = { readonly pattern: RegExp; readonly sql: string; readonly by: string };

/** What stands at the number of a day, with the pattern of the engine that removes it. */
const ORDINALS: readonly Decoration[] = [
  {
    pattern: /(?<=\d)(?:st|nd|rd|th)\b(?: of\b)?/i,
    sql: '(?i)([0-9])(st|nd|rd|th)( of)?',
    by: '\\1',
  },
  { pattern: /(?<=\d)(?:er|º|ª)(?![\p{L}\d])/iu, sql: '([0-9])(er|º|ª)', by: '\\1' },
];

/** The same of what stands around a day. */
const DECORATIONS: readonly Decoration[] = [
  {
    pattern: new RegExp(`^(${NAME})[,]?\\s+(?=.*\\d)`, 'iu'),
    sql: '^[^0-9\\s]+\\s+',
    by: '',
  },
  {
    pattern: new RegExp(`(?<=\\d.*)[,]?\\s*[(]?\\b(${NAME})[)]?$`, 'iu'),
    sql: ',?\\s*[(]?[^0-9\\s]+$',
    by: '',
  },
  ...ORDINALS,
];

export type WordedDate = KnownDateFormat & {
  /** The texts without what stands around their days. */
  readonly plain: readonly string[];
  /** SQL of such a text. */
  readonly expression: (text: string) => string;
};

/** The ways to read days with a weekday or as ordinal numbers: Mon 15/01/2024, March 1st, 2024. The weekdays must be right. */
export function wordedDates(texts: readonly string[]): readonly WordedDate[] {
  if (texts.length === 0 || !texts.every((text) => /\d/.test(text))) return [];
  const found = withoutDecorations(texts, DECORATIONS);
  // Mar is a weekday too.
  return found.length > 0 ? found : withoutDecorations(texts, ORDINALS);
}

function withoutDecorations(
  texts: readonly string[],
  decorations: readonly Decoration[],
): readonly WordedDate[] {
  let plain = texts.map((text) => text.trim());
  let weekdays: readonly (readonly number[])[] | undefined;
  const removed: Decoration[] = [];
  for (const decoration of decorations) {
    const { pattern } = decoration;
    const found = plain.map((text) => pattern.exec(text));
    const names = found.map((one) => one?.[1]?.toLowerCase().replace(/[.]$/, ''));
    // Each text has a weekday, or none.
    const isWhole = found.every((one) => one !== null);
    const isPart = found.some((one) => one !== null);
    const isWeekday = names.some((name) => name !== undefined);
    if (!isPart || (isWeekday && !isWhole)) continue;
    if (isWeekday) weekdays = names.map((name = '') => weekdaysOf(name));
    plain = plain.map((text) => text.replace(pattern, '').trim());
    removed.push(decoration);
  }
  if (removed.length === 0) return [];
  const isRight = ({ weekdayOf }: KnownDateFormat) =>
    weekdays === undefined ||
    plain.every((text, index) => weekdays?.[index]?.includes(weekdayOf(text) ?? -1));
  return DATE_FORMATS.filter(
    (one) => !one.hasTime && one.as === undefined && plain.every(one.matches) && isRight(one),
  ).map((one) => ({
    ...one,
    plain,
    expression: (text) =>
      removed.reduce(
        (inner, { sql, by }) =>
          `regexp_replace(${inner}, ${quoteLiteral(sql)}, ${quoteLiteral(by)})`,
        `trim(${text})`,
      ),
  }));
}

/** The days that a name means; a few are those of two languages. */
function weekdaysOf(name: string): readonly number[] {
  return [
    ...new Set(WEEKDAYS.flatMap((names) => (names.includes(name) ? names.indexOf(name) : []))),
  ];
}
