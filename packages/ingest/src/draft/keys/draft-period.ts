import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { CADENCES, type Cadence } from '@locmetrics/core/domain/metric';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { DATE_SPANS } from '../../manifest/field-source.ts';
import { type DraftField, type Period, strptimePattern } from '../values/draft-fields.ts';
import { type Stats, TYPED_ROWS } from '../values/typed-rows.ts';
import type { FoundKey } from './find-key.ts';

/** Days that are all the first or all the last of a month stand for the month; so for a quarter and a year. */
export async function spanDates(
  connection: ImportConnection,
  fields: readonly DraftField[],
  { fields: stats, rowCount }: Stats,
): Promise<readonly DraftField[]> {
  const spanned: DraftField[] = [];
  // The end of a quarter without its start is a day like others.
  const isDay = (named: RegExp) =>
    fields.some(({ name, document }) => document.type === 'date' && named.test(name));
  const hasEnd = isDay(END_NAME) && isDay(START_NAME);
  for (const [index, field] of fields.entries()) {
    const { type, as, zone } = field.document;
    const distinct = stats[index]?.distinct ?? 0;
    const ofQuarter =
      as === 'month' && !hasEnd && (await quarterDoubt(connection, field, index, distinct));
    if (ofQuarter) {
      const document = { ...field.document, as: 'quarter' as const };
      spanned.push({ ...field, document, doubts: [...field.doubts, ofQuarter] });
      continue;
    }
    const isSpan = type === 'date' && as === undefined && !field.hasTime;
    // Days that never repeat can be any, but not in a column that is called a month, or if each month has one.
    const isAny = distinct === rowCount && !SPAN_NAME.test(field.name);
    // A file of one period has one day, which only the name of the column can explain.
    const wanted = SPANS.find(({ name }) => name.test(field.name));
    if (
      !isSpan ||
      hasEnd ||
      (distinct < 3 && wanted === undefined) ||
      (isAny && distinct < SERIES_MIN)
    ) {
      spanned.push(field);
      continue;
    }
    const [row] = await connection.list(
      `SELECT (CASE WHEN bool_and(dayofyear(v${index}) = 1) THEN 'year'
          WHEN bool_and(day(v${index}) = 1 AND month(v${index}) % 3 = 1) THEN 'quarter'
          WHEN bool_and(day(v${index}) = 1) THEN 'month'
          WHEN bool_and(isodow(v${index}) = 1) THEN 'week'
          WHEN bool_and(month(v${index} + 1) = 1 AND day(v${index} + 1) = 1) THEN 'year'
          WHEN bool_and(day(v${index} + 1) = 1 AND month(v${index}) % 3 = 0) THEN 'quarter'
          WHEN bool_and(day(v${index} + 1) = 1) THEN 'month' END) AS unit,
          (CASE WHEN bool_and(day(v${index}) > 27) THEN 1 ELSE 0 END) AS is_last,
          (datediff('month', min(v${index}), max(v${index})) + 1)::DOUBLE AS months,
          (CASE WHEN min(isodow(v${index})) = max(isodow(v${index})) THEN dayname(min(v${index})) END) AS weekday
          FROM ${TYPED_ROWS}
        WHERE v${index} IS NOT NULL`,
    );
    const found = DATE_SPANS.find((one) => one === row?.['unit']);
    const monthsOf = { year: 12, quarter: 3, month: 1, week: 0 }[found ?? 'week'];
    const isSeries = row !== undefined && numberOf(row, 'months') === (distinct - 1) * monthsOf + 1;
    if (isAny && !isSeries) {
      spanned.push(field);
      continue;
    }
    const unit = distinct < 3 && found !== undefined ? wantedOf(wanted?.unit, found) : found;
    const weekday = row?.['weekday'];
    const plain =
      typeof weekday === 'string' && zone === undefined
        ? withWeek(field, weekday, new Set(fields.map(({ name }) => name)))
        : field;
    spanned.push(
      unit === undefined
        ? plain
        : {
            ...field,
            document: { ...field.document, as: unit },
            doubts: [
              ...field.doubts,
              `All dates are the ${Number(row?.['is_last']) === 1 ? 'last' : 'first'} day of a ${unit}, so each is read as that ${unit}. If they stand for single days, remove as: ${unit}.`,
            ],
          },
    );
  }
  return spanned;
}

/** Months that are all the last one of a quarter, as in tables by quarter, or the first one if its name says so. */
async function quarterDoubt(
  connection: ImportConnection,
  { name }: DraftField,
  index: number,
  distinct: number,
): Promise<string | undefined> {
  const isNamed = /(^|_)(quarter|qtr|quartal|trimestre)($|_)/.test(name);
  if (distinct < (isNamed ? 2 : QUARTERS_MIN)) return undefined;
  const [row] = await connection.list(
    `SELECT (CASE WHEN bool_and(month(v${index}) % 3 = 0) THEN 'last'
        WHEN bool_and(month(v${index}) % 3 = 1) THEN 'first' END) AS place
      FROM ${TYPED_ROWS} WHERE v${index} IS NOT NULL`,
  );
  const place = row?.['place'];
  if (place !== 'last' && !(place === 'first' && isNamed)) return undefined;
  return `All months are the ${place} one of a quarter, so each is read as that quarter. If they stand for single months, write as: month.`;
}

const QUARTERS_MIN = 4;
/** So many days of months that follow each other are no chance. */
const SERIES_MIN = 6;

const SPANS = [
  { unit: 'year', name: /(^|_)(year|yr|jahr|jaar|annee|ano|anio|anno|yil)($|_)/ },
  { unit: 'quarter', name: /(^|_)(quarter|qtr|quartal|trimestre)($|_)/ },
  { unit: 'month', name: /(^|_)(month|monat|maand|mois|mes|mese)($|_)/ },
  { unit: 'week', name: /(^|_)(week|woche|semana|semaine)($|_)/ },
] as const;

type Unit = (typeof DATE_SPANS)[number];

/** The span that a name says, if the days are the first ones of it: that of a year is that of a month too. */
function wantedOf(wanted: Unit | undefined, found: Unit): Unit | undefined {
  if (wanted === undefined || wanted === 'week' || found === 'week') {
    return wanted === found ? found : undefined;
  }
  const order: readonly Unit[] = ['month', 'quarter', 'year'];
  return order.indexOf(wanted) <= order.indexOf(found) ? wanted : undefined;
}

/** Weeks that do not start on Monday need both of their days. The name of the column says whether they are weeks. */
function withWeek(field: DraftField, weekday: string, taken: ReadonlySet<string>): DraftField {
  const { name, document } = field;
  const { column = name, format = 'YYYY-MM-DD' } = document;
  const isEnd = /(^|_)end/.test(name);
  const pattern = strptimePattern(format);
  const expression = `CAST(strptime(trim(${quoteIdentifier(String(column))}), '${pattern}') AS DATE) ${isEnd ? '- 6' : '+ 6'}`;
  const other = isEnd ? 'week_start' : 'week_end';
  const edge = isEnd ? 'last' : 'first';
  if (WEEK_NAME.test(name) && document.expression === undefined && !taken.has(other)) {
    const doubt = `All days are a ${weekday}, so each is read as the ${edge} day of a week. If they stand for single days, remove ${other}, and write period: { start: ${name}, end: ${name} } and cadence: daily.`;
    return {
      ...field,
      week: { name: other, expression, isEnd },
      doubts: [...field.doubts, doubt],
    };
  }
  const period = isEnd ? `start: week_start, end: ${name}` : `start: ${name}, end: week_end`;
  const doubt = `All days are a ${weekday}. If each is the ${edge} day of a week, add the field ${other}: { type: date, expression: '${expression.replaceAll("'", "''")}' }, and declare period: { ${period} } and cadence: weekly.`;
  return { ...field, doubts: [...field.doubts, doubt] };
}

const WEEK_NAME = /(^|_)(week|woche|semaine|semana|settimana|uke|vecka|uge)(_|$)/;

const SPAN_NAME = /(^|_)(year|quarter|month|week)($|_)/;

const START_NAME =
  /(^|_)(start|started|begin|from|first|von|beginn|anfang|debut|inicio|desde|inizio)($|_)/;

const END_NAME = /(^|_)(end|ended|stop|until|to|through|thru|last|bis|ende|fin|hasta|fine)($|_)/;

export function periodPair(fields: readonly DraftField[], stats: Stats): PeriodFields | undefined {
  const days = fields.filter(({ document }) => document.type === 'date');
  const start = days.find(({ name }) => START_NAME.test(name));
  const end = days.find(({ name }) => END_NAME.test(name));
  if (start === undefined || end === undefined) return undefined;
  const isSame = (field: DraftField) => stats.fields[fields.indexOf(field)]?.distinct === 1;
  // Beside days that differ, it says for how long something is known about a place.
  const isOther = (field: DraftField) =>
    field !== start && field !== end && !isSame(field) && !EVENT_NAME.test(field.name);
  const isOfAll = isSame(start) && isSame(end) && days.some(isOther);
  return isOfAll ? undefined : { start: start.name, end: end.name };
}

export type PeriodFields = { readonly start: string; readonly end: string };

export function declarePeriod(
  fields: readonly DraftField[],
  key: FoundKey,
  pair: PeriodFields | undefined,
): { readonly period: Period | undefined; readonly fields: readonly DraftField[] } {
  const nothing = new Map<string, string>();
  if (pair !== undefined) return { period: { ...pair, unit: undefined, renamed: nothing }, fields };
  const days = fields.filter(({ document }) => document.type === 'date');
  const start =
    days.find(({ name }) => key.fields.includes(name)) ??
    days.find(({ name }) => PERIOD_NAME.test(name));
  if (start === undefined) return { period: undefined, fields };
  const { as } = start.document;
  if (start.week !== undefined) {
    const { name, expression, isEnd } = start.week;
    const other: DraftField = {
      ...start,
      name,
      document: { type: 'date', expression },
      doubts: [],
      notes: [],
    };
    const both = isEnd ? [other, start] : [start, other];
    const [first = start, last = start] = both;
    return {
      period: {
        start: first.name,
        end: last.name,
        unit: undefined,
        cadence: 'weekly',
        renamed: nothing,
      },
      fields: fields.flatMap((field) => (field === start ? both : [field])),
    };
  }
  if (as === undefined) {
    return {
      period: { start: start.name, end: start.name, unit: 'day', renamed: nothing },
      fields,
    };
  }
  const taken = new Set(fields.map(({ name }) => name));
  const [first, last] = [`${as}_start`, `${as}_end`];
  if (taken.has(last) || (taken.has(first) && start.name !== first))
    return { period: undefined, fields };
  const { column = start.name, expression } = start.document;
  const source = expression === undefined ? { column } : {};
  const split = fields.flatMap((field) =>
    field === start
      ? [
          { ...start, name: first, document: { ...start.document, ...source } },
          {
            ...start,
            name: last,
            document: { ...start.document, ...source },
            doubts: [],
            notes: [],
          },
        ]
      : [field],
  );
  return {
    period: { start: first, end: last, unit: as, renamed: new Map([[start.name, first]]) },
    fields: split,
  };
}

/** A day in the life of a place, or of a row. */
export const EVENT_NAME =
  /open|found|birth|built|creat|updat|modif|clos|expir|establish|since|regist|retriev|downloaded|last_/;

/** A day or a span that a row is about, and not an event in the life of a place. */
export const PERIOD_NAME =
  /^((observation|report|reference|obs|visit|data|mess|sample|service|travel|flt|flight|count)_)?(year|date|day|month|week|quarter|period|time|timestamp|datetime|yyyymm|yyyymmdd|jahr|datum|tag|monat|woche|quartal|annee|mois|semaine|trimestre|jour|ano|anio|anno|fecha|mes|semana|dia|periodo|data|mese|jaar|maand|yil)(_start)?(_date)?$/;

export async function findCadence(
  connection: ImportConnection,
  fields: readonly DraftField[],
  { start, end }: PeriodFields,
): Promise<Cadence> {
  const first = `v${fields.findIndex(({ name }) => name === start)}`;
  const next = `(v${fields.findIndex(({ name }) => name === end)} + 1)`;
  const [row] = await connection.list(
    `SELECT (CASE WHEN bool_and(${next} = ${first} + 1) THEN 'daily'
        WHEN bool_and(day(${first}) = 1 AND ${next} = ${first} + INTERVAL 1 MONTH) THEN 'monthly'
        WHEN bool_and(day(${first}) = 1 AND month(${first}) % 3 = 1 AND ${next} = ${first} + INTERVAL 3 MONTHS) THEN 'quarterly'
        WHEN bool_and(day(${first}) = 1 AND ${next} = ${first} + INTERVAL 12 MONTHS) THEN 'yearly'
        WHEN bool_and(isodow(${first}) = 1 AND ${next} = ${first} + 7) THEN 'weekly_mon_sun'
        WHEN bool_and(${next} = ${first} + 7) THEN 'weekly' END) AS cadence
      FROM ${TYPED_ROWS} WHERE ${first} IS NOT NULL AND ${next} IS NOT NULL`,
  );
  return CADENCES.find((one) => one === row?.['cadence']) ?? 'unspecified';
}
