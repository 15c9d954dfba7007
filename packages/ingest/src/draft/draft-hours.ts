import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { type DraftDataset, withMemberExpression } from './draft-dataset.ts';
import type { DraftExamples } from './draft-examples.ts';
import type { DailyStep, DailySums } from './keys/daily-sums.ts';
import type { FoundHours, HourChoice } from './keys/find-hours.ts';
import { type DraftField, daySql, timeSql } from './values/draft-fields.ts';
import { distinctName } from './values/valid-name.ts';

/** Makes the hour of a day a dimension with two digits, or the hours of each day one record. */
export function draftHours(dataset: DraftDataset, wanted: HourChoice | undefined): DraftDataset {
  const { hours, fields, period } = dataset;
  const hour = fields.find(({ name }) => name === hours?.field);
  if (hours === undefined || hour === undefined || period === undefined) return dataset;
  const isSummable =
    dataset.members.size === 0 &&
    dataset.combined.choices === undefined &&
    dataset.combined.duplicates !== 'same' &&
    period.start === period.end;
  if (!isSummable || wanted !== 'days') {
    return {
      ...dataset,
      fields: fields.map((field) =>
        field === hour ? withMemberExpression(asDimension(field, hours), dataset.members) : field,
      ),
      examples: withHours(dataset.examples, hours),
      daily:
        isSummable || wanted === 'days'
          ? dimensionText(dataset, hours, { wanted, isSummable })
          : undefined,
    };
  }
  const { kept, steps } = daysOf(dataset, hours);
  const { count, rows } = hours.days;
  return {
    ...dataset,
    key: {
      ...dataset.key,
      fields: dataset.key.fields.filter((name) => name !== hour.name),
      repeatedCount: 0,
    },
    combined: { duplicates: undefined, reason: undefined, choices: undefined },
    // The step adds up rows of a day.
    chance: undefined,
    fields: kept,
    rowCount: count,
    examples: { ...dataset.examples, rows },
    keyValues: new Map([...dataset.keyValues].filter(([name]) => name !== hour.name)),
    daily: daysText(dataset, hours, steps),
  };
}

function withHours(examples: DraftExamples, { field, shown }: FoundHours): DraftExamples {
  const rows = examples.rows.map((row) => {
    const hour = shown.get(row.get(field) ?? '');
    return hour === undefined ? row : new Map([...row, [field, hour]]);
  });
  return { ...examples, rows };
}

function asDimension(field: DraftField, { read, isFromOne }: FoundHours): DraftField {
  const { column = field.name, expression, format: _, ...document } = field.document;
  const doubts = isFromOne
    ? [
        ...field.doubts,
        'The file counts the hours from 1 to 24. They are read as 00 to 23, so 1 is the hour from 00:00 to 01:00.',
      ]
    : field.doubts;
  if (field.time !== undefined) {
    const source = quoteIdentifier(field.time.column);
    const time = timeSql(source, { ...field.time, isPadded: true });
    return { ...field, document: { ...document, type: 'string', expression: time }, doubts };
  }
  const source = expression ?? quoteIdentifier(columnName(column));
  if (read !== undefined) {
    return {
      ...field,
      document: { ...document, type: 'string', expression: read(source) },
      doubts,
    };
  }
  const place = expression !== undefined ? { expression } : column === field.name ? {} : { column };
  return { ...field, document: { ...document, ...place, type: 'string', pad: 2 }, doubts };
}

function columnName(column: NonNullable<DraftField['document']['column']>): string {
  return typeof column === 'number' ? `column ${column}` : String(column);
}

function dimensionText(
  dataset: DraftDataset,
  hours: FoundHours,
  { wanted, isSummable }: { readonly wanted: HourChoice | undefined; readonly isSummable: boolean },
): DailySums {
  const { count } = hours.days;
  const name = hours.field;
  if (!isSummable) {
    return {
      choice: 'dimension',
      isDoubt: true,
      text: `The hours are not added up to days, because ${dataset.period?.start === dataset.period?.end ? 'rows with the same key would be counted twice: decide about them first' : 'each row has a start and an end'}. ${name} is a dimension.`,
      steps: [],
    };
  }
  const { steps } = daysOf(dataset, hours);
  return {
    choice: 'dimension',
    isDoubt: wanted === undefined,
    text: `Each row is ${hours.hasMinutes ? 'a time' : 'an hour'} of a day, and ${name} is a dimension of the metric. For one record for each day instead (${shown(count)} of ${shown(dataset.rowCount)} rows), run init with --hours days: then the rows have this step, and there is no ${name}.`,
    steps,
  };
}

function daysText(
  dataset: DraftDataset,
  { field, days }: FoundHours,
  steps: readonly DailyStep[],
): DailySums {
  const { count, usual, incompleteCount, unclear, same, varying, values } = days;
  const leftOut = dataset.fields.flatMap(({ name }) =>
    varying.has(name) && !values.has(name) && name !== field ? [name] : [],
  );
  const kept = same.filter((name) => dataset.fields.some((field) => field.name === name));
  const means = [...values].flatMap(([name, read]) => (read === 'mean' ? [name] : []));
  const parts = [
    `The hours of each day are one record: ${shown(dataset.rowCount)} rows become ${shown(count)}. With init --hours dimension, each hour is a record.`,
    incompleteCount === 0
      ? ''
      : `${shown(incompleteCount)} of them have fewer than ${shown(usual)} rows.`,
    means.length === 0
      ? ''
      : `Of ${means.join(', ')} there are means, because a sum has no meaning.`,
    unclear.length === 0
      ? ''
      : `If ${unclear.join(', ')} cannot be added up, write mean instead of sum.`,
    kept.length === 0 ? '' : `Not added up, because it is the same all day: ${kept.join(', ')}.`,
    leftOut.length === 0 ? '' : `Left out, because they change in a day: ${leftOut.join(', ')}.`,
  ];
  return {
    choice: 'days',
    isDoubt: incompleteCount + means.length + unclear.length + kept.length + leftOut.length > 0,
    text: parts.filter((part) => part !== '').join(' '),
    steps,
  };
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}

/** The fields of a record for each day, and the steps that make it. */
function daysOf(
  { fields, key, columns }: DraftDataset,
  { field: hour, days }: FoundHours,
): { readonly kept: readonly DraftField[]; readonly steps: readonly DailyStep[] } {
  const time = fields.find(({ name }) => name === hour)?.time;
  const stays = ({ name }: DraftField) =>
    name !== hour &&
    (days.values.has(name) || key.fields.includes(name) || !days.varying.has(name));
  const kept = fields.filter(stays);
  const computed = kept.filter(
    ({ name, document }) => days.values.has(name) && document.expression !== undefined,
  );
  const by = kept.flatMap((field) => {
    if (days.values.has(field.name)) return [];
    const { column = field.name, expression } = field.document;
    if (Array.isArray(column)) {
      return column.map(columnName).map((name) => ({ name, expression: quoteIdentifier(name) }));
    }
    if (isDayOf(field, time) && time !== undefined) {
      return [{ name: field.name, expression: daySql(quoteIdentifier(time.column), time) }];
    }
    return [{ name: field.name, expression: expression ?? quoteIdentifier(columnName(column)) }];
  });
  const taken = new Set(
    [...columns, ...fields.map(({ name }) => name)].map((name) => name.toLowerCase()),
  );
  // The file has a column of this name, with the texts that the expression reads.
  const computedName = (name: string) => distinctName(name, taken);
  const values = kept.flatMap(({ name, document }) => {
    const read = days.values.get(name);
    if (read === undefined) return [];
    const isComputed = document.expression !== undefined;
    const column = isComputed ? computedName(name) : columnName(document.column ?? name);
    return [{ name, function: read, column, format: document.format }];
  });
  const expressions = computed.map(
    ({ name, document }) => `(${document.expression}) AS ${quoteIdentifier(computedName(name))}`,
  );
  return {
    kept: kept.map((field) => afterDays(field, { days, time })),
    steps: [
      ...(expressions.length === 0
        ? []
        : [{ sql: `SELECT *, ${expressions.join(', ')} FROM rows` }]),
      { by, values },
    ],
  };
}

function isDayOf({ document, column, hasTime }: DraftField, time: DraftField['time']): boolean {
  return document.type === 'date' && hasTime && column === time?.column;
}

/** A field of the rows that the step makes. */
function afterDays(
  field: DraftField,
  { days, time }: { readonly days: FoundHours['days']; readonly time: DraftField['time'] },
): DraftField {
  const { column, expression: _, ...document } = field.document;
  const read = days.values.get(field.name);
  if (read !== undefined) {
    const { format: __, ...number } = document;
    return { ...field, document: { ...number, type: read === 'mean' ? 'float' : document.type } };
  }
  if (Array.isArray(column)) return { ...field, document: { ...document, column } };
  if (isDayOf(field, time)) return { ...field, document: { type: 'date' } };
  return { ...field, document };
}
