/** How texts write hours, such as 8, 08:00, 8 AM or 08:00-09:00. */
export type HourForm = {
  /** SQL of the hour with two digits, of a text. Absent: the text only has to be filled up. */
  readonly read: ((text: string) => string) | undefined;
  /** Whether the hours are counted from 1 to 24. */
  readonly isFromOne: boolean;
  /** Whether there are times between the hours. */
  readonly hasMinutes: boolean;
};

const HOUR =
  /^(?:h|hr|hour|std|stunde)?[ _-]?(?<hour>\d\d?)(?:[:.h](?<minute>\d\d)(?::00(?:\.0+)?)?)?(?: ?h| ?uhr| ?(?<half>[ap]\.?m\.?))?(?: ?(?:-|–|to|bis) ?\d\d?(?:[:.]\d\d)?(?::\d\d)?(?: ?h| ?uhr| ?[ap]\.?m\.?)?)?$/i;

/** The hour that a text begins with; undefined if it is none. */
export function hourOf(
  text: string,
): { readonly hour: number; readonly minute: string } | undefined {
  const { hour, minute = '00', half } = HOUR.exec(text.trim())?.groups ?? {};
  if (hour === undefined) return undefined;
  const number =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon(half) ? 12 : 0);
  return number > 24 ? undefined : { hour: number, minute };
}

function isAfternoon(half: string): boolean {
  return /^p/i.test(half);
}

/** Undefined if a text is no hour. */
export function hourForm(texts: readonly string[]): HourForm | undefined {
  const found = texts.flatMap((text) => hourOf(text) ?? []);
  if (texts.length < 2) return undefined;
  if (found.length < texts.length) return inHundreds(texts);
  const hours = found.map(({ hour }) => hour);
  const hasHalves = texts.some((text) => /\d ?[ap]\.?m/i.test(text));
  const isFromOne = hours.includes(24) && !hours.includes(0);
  const hasMinutes = found.some(({ minute }) => minute !== '00');
  if (hasMinutes && (hasHalves || isFromOne)) return undefined;
  return { read: readerOf(texts, { hasHalves, isFromOne, hasMinutes }), isFromOne, hasMinutes };
}

function readerOf(
  texts: readonly string[],
  {
    hasHalves,
    isFromOne,
    hasMinutes,
  }: Pick<HourForm, 'isFromOne' | 'hasMinutes'> & { readonly hasHalves: boolean },
): HourForm['read'] {
  const digits = (text: string) => `regexp_extract(trim(${text}), '[0-9]+')`;
  const number = (text: string) => `CAST(${digits(text)} AS INTEGER)`;
  if (hasMinutes) {
    return texts.every((text) => /^\d\d:\d\d$/.test(text.trim()))
      ? (text) => `trim(${text})`
      : (text) => `lpad(regexp_extract(trim(${text}), '^[0-9]+:[0-9]+'), 5, '0')`;
  }
  if (hasHalves) {
    return (text) =>
      twoDigits(
        `${number(text)} % 12 + CASE WHEN regexp_matches(trim(${text}), '^[^-–]*[0-9] ?[pP]') THEN 12 ELSE 0 END`,
      );
  }
  if (isFromOne) return (text) => twoDigits(`${number(text)} - 1`);
  const arePlain = texts.every((text) => /^\d\d?$/.test(text.trim()));
  return arePlain ? undefined : (text) => `lpad(${digits(text)}, 2, '0')`;
}

function twoDigits(number: string): string {
  return `lpad(CAST(${number} AS VARCHAR), 2, '0')`;
}

/** 0, 100, … to 2300. */
function inHundreds(texts: readonly string[]): HourForm | undefined {
  const numbers = texts.map((text) => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN));
  const areTimes = numbers.every((number) => number % 100 < 60 && number <= 2400);
  if (!areTimes) return undefined;
  if (numbers.some((number) => number % 100 !== 0)) return inMinutes(numbers);
  const isFromOne = numbers.includes(2400) && !numbers.includes(0);
  return {
    read: (text) =>
      twoDigits(
        `CAST(regexp_extract(trim(${text}), '[0-9]+') AS INTEGER) // 100${isFromOne ? ' - 1' : ''}`,
      ),
    isFromOne,
    hasMinutes: false,
  };
}

/** 0, 15, … to 2345. */
function inMinutes(numbers: readonly number[]): HourForm | undefined {
  const areEven = numbers.every((number) => number % 5 === 0 && number < 2400);
  if (!areEven || !numbers.some((number) => number >= 100)) return undefined;
  return {
    read: (text) =>
      `${twoDigits(`CAST(trim(${text}) AS INTEGER) // 100`)} || ':' || ${twoDigits(`CAST(trim(${text}) AS INTEGER) % 100`)}`,
    isFromOne: false,
    hasMinutes: true,
  };
}
