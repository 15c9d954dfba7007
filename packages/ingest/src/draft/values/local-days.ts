import { LOCAL_ZONE } from '../../manifest/date-format.ts';
import type { TypedColumn } from './propose-types.ts';

/** Times with the offset of their place keep the day that is written, and times that are all midnight are days. */
export function withLocalDays(columns: readonly TypedColumn[]): readonly TypedColumn[] {
  return columns.map((column) => {
    const { document, texts } = column;
    if (document.type !== 'date' || !column.hasTime) return column;
    const hasTime = !DAY_ENDS.some((pattern) => texts.every((text) => pattern.test(text.trim())));
    const zone = document.zone === 'UTC' && hasTime ? zoneOfMidnights(texts) : undefined;
    if (zone !== undefined) {
      return {
        ...column,
        hasTime: false,
        document: { ...document, zone },
        doubts: [
          ...column.doubts.filter((text) => !/time zone/.test(text)),
          `All times are midnights in ${zone}, so the days there are read. If they are those of another time zone, change zone.`,
        ],
      };
    }
    const isWritten = !hasTime || texts.some((text) => OFFSET.test(text.trim()));
    const isLocal = document.zone !== undefined && isWritten;
    if (!isLocal) return { ...column, hasTime };
    return {
      ...column,
      hasTime,
      document: { ...document, zone: LOCAL_ZONE },
      doubts: column.doubts.filter((text) => !/time zone/.test(text)),
    };
  });
}

/** The first and the last moment of a day, as it is written. */
const DAY_ENDS = [
  /[ T](00:00(:00(\.0+)?)?|12:00(:00)? am)( ?(Z|[+-]\d\d(:?\d\d)?))?$/i,
  /[ T]23:59(:59(\.\d+)?)?( ?(Z|[+-]\d\d(:?\d\d)?))?$/i,
];

/** An offset other than that of UTC. */
const OFFSET = /[+-](?!00:?00$)\d\d:?\d\d$/;

/** The first of some time zones in which all times are midnight: programs write local days in UTC so. */
function zoneOfMidnights(texts: readonly string[]): string | undefined {
  const times = texts.map((text) => new Date(text.trim()));
  if (times.length < MIDNIGHTS_MIN || times.some((time) => Number.isNaN(time.getTime()))) {
    return undefined;
  }
  return ZONES.find((timeZone) => {
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' });
    return times.every((time) => clock.format(time) === '00:00:00');
  });
}

/** Fewer times can be midnights by chance. */
const MIDNIGHTS_MIN = 3;

const ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Athens',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
];

/** Whether all times of a column are midnight. */
export function areMidnights({ texts }: Pick<TypedColumn, 'texts'>): boolean {
  return texts.length > 0 && texts.every((text) => DAY_ENDS[0]?.test(text.trim()) === true);
}
