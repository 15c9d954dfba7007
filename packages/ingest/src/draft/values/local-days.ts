import { LOCAL_ZONE } from '../../manifest/date-format.ts';
import type { TypedColumn } from './propose-types.ts';

/** Times with the offset of their place keep the day that is written, and times that are all midnight are days. */
export function withLocalDays(columns: readonly TypedColumn[]): readonly TypedColumn[] {
  return columns.map((column) => {
    const { document, texts } = column;
    if (document.type !== 'date' || !column.hasTime) return column;
    const hasTime = !DAY_ENDS.some((pattern) => texts.every((text) => pattern.test(text.trim())));
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

/** Whether all times of a column are midnight. */
export function areMidnights({ texts }: Pick<TypedColumn, 'texts'>): boolean {
  return texts.length > 0 && texts.every((text) => DAY_ENDS[0]?.test(text.trim()) === true);
}
