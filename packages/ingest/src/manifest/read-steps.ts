import { nameHint } from '@locmetrics/core/errors/nearest-name';
import type { LookupFile } from './manifest.ts';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import { parseNumberFormat } from './number-format.ts';
import {
  AGGREGATE_FUNCTIONS,
  type Aggregate,
  type AggregateValue,
  type DuplicateRule,
  type Join,
  type RowStep,
} from './row-steps.ts';

/** A file as a step declares it, and what the step says about it. */
export type LookupDeclaration = Pick<LookupFile, 'step' | 'table' | 'columns'> & {
  readonly declared: StepFile;
  /** Its place in the dataset's part of the manifest. */
  readonly keys: readonly string[];
};

type StepDocument = NonNullable<DatasetDocument['rows']>[number];
type StepFile = Pick<NonNullable<StepDocument['join']>, 'file' | 'format' | 'read'>;

/** The steps of the rows, and what happens to rows with the same key. */
export function readSteps(
  { rows = [], fields, read }: DatasetDocument,
  report: Report,
  readLookup: (declaration: LookupDeclaration) => LookupFile,
): {
  readonly steps: readonly RowStep[];
  readonly lookups: readonly LookupFile[];
  readonly duplicates: DuplicateRule | undefined;
} {
  const lookups: LookupFile[] = [];
  const hasExpression = Object.values(fields).some(({ expression }) => expression !== undefined);
  const hasSteps = rows.some(({ duplicates }) => duplicates === undefined);
  if (hasSteps || hasExpression) {
    for (const [name, { column }] of Object.entries(fields)) {
      const columns = typeof column === 'object' ? column : [column];
      if (!columns.some((one) => typeof one === 'number') || read?.header === false) continue;
      report.at(
        'fields',
        name,
        'column',
      )(
        'After steps, and beside expressions, a column has no position.',
        "Write its name. A column whose name is repeated or blank is named by its position: 'column 3'.",
      );
    }
  }
  const steps = rows.flatMap((step, number): readonly RowStep[] => {
    const reportStep = report.at('rows', String(number));
    const keys = Object.keys(step);
    if (keys.length !== 1) {
      reportStep(
        keys.length === 0 ? 'The step is empty.' : `The step has ${keys.join(' and ')}.`,
        'Write one key for each step: - where: …',
      );
      return [];
    }
    if (step.where !== undefined) return [{ kind: 'where', number, condition: step.where }];
    if (step.fill_down !== undefined) {
      return [{ kind: 'fill_down', number, columns: step.fill_down }];
    }
    if (step.unpivot !== undefined) {
      return readUnpivot(step.unpivot, number, reportStep.at('unpivot'));
    }
    if (step.aggregate !== undefined) {
      const aggregate = readAggregate(step.aggregate, reportStep.at('aggregate'));
      return [{ kind: 'aggregate', number, ...aggregate }];
    }
    if (step.join !== undefined) {
      const join = readJoin(step.join, reportStep.at('join'));
      const named = [...join.on, ...(join.columns ?? [])];
      lookups.push(
        readLookup({
          declared: step.join,
          step: number,
          table: '',
          columns: named.map(({ fileColumn }) => fileColumn),
          keys: ['rows', String(number), 'join'],
        }),
      );
      return [{ kind: 'join', number, ...join }];
    }
    if (step.sql !== undefined) {
      const { select, tables = {} } =
        typeof step.sql === 'string' ? { select: step.sql } : step.sql;
      for (const [table, declared] of Object.entries(tables)) {
        const keys = ['rows', String(number), 'sql', 'tables', table];
        if (table === 'rows') {
          report.at(...keys)('The rows already have this name.', 'Give the table another name.');
        }
        lookups.push(readLookup({ declared, step: number, table, columns: [], keys }));
      }
      return [{ kind: 'sql', number, query: select, tables: Object.keys(tables) }];
    }
    if (number < rows.length - 1) {
      reportStep.at('duplicates')(
        'Rows get their key only after all other steps.',
        'Write it as the last step.',
      );
    }
    return [];
  });
  const duplicates = rows.find((step) => step.duplicates !== undefined)?.duplicates;
  return { steps, lookups, duplicates };
}

type UnpivotDocument = NonNullable<StepDocument['unpivot']>;

/** Columns, lists or a map that become rows. */
function readUnpivot(
  { name, values, list, map, start, each }: UnpivotDocument,
  number: number,
  report: Report,
): readonly RowStep[] {
  const sources = Object.entries({ values, list, map }).flatMap(([key, source]) =>
    source === undefined ? [] : key,
  );
  if (sources.length !== 1) {
    report(
      sources.length === 0 ? 'It has nothing to unpivot.' : `It has ${sources.join(' and ')}.`,
      'Write one of them: values for columns, list for lists of numbers, or map for numbers by key.',
    );
    return [];
  }
  for (const [key, value] of Object.entries({ start, each })) {
    if (value === undefined || list !== undefined) continue;
    report.at(key)('It is about the numbers of a list.', 'Leave it out, or write list.');
  }
  if (each === 'day' && start === undefined) {
    report.at('each')(
      'Days need the first one.',
      'Add start, with the column that has the first day, or leave each out for positions.',
    );
  }
  if (values !== undefined) {
    const columns = Object.entries(values).map(([one, wanted]) => ({ name: one, columns: wanted }));
    return [{ kind: 'unpivot', number, name, values: columns }];
  }
  const nested = list ?? map ?? {};
  const named = typeof nested === 'string' ? { [nested]: nested } : nested;
  return [
    {
      kind: 'unnest',
      number,
      of: list === undefined ? 'map' : 'list',
      name,
      values: Object.entries(named).map(([one, column]) => ({ name: one, column })),
      start,
      each: each ?? (start === undefined ? undefined : 'day'),
    },
  ];
}

type JoinDocument = NonNullable<NonNullable<DatasetDocument['rows']>[number]['join']>;

/** The join of another file, without the file itself. */
function readJoin(
  { on: written, pad, columns, unmatched = 'keep' }: JoinDocument,
  report: Report,
): Join {
  const on = readNames(written);
  const digits = typeof pad === 'number' ? [pad] : pad;
  if (digits !== undefined && digits.length !== on.length) {
    report.at('pad')(
      `The key has ${on.length === 1 ? 'one column' : `${on.length} columns`}, and pad ${digits.length === 1 ? 'one number' : `${digits.length} numbers`} of digits.`,
      'Write a number of digits for each column of the key: pad: [2, 3].',
    );
  }
  return {
    on,
    ...(digits === undefined ? {} : { pad: digits }),
    ...(columns === undefined ? {} : { columns: readNames(columns) }),
    unmatched,
  };
}

/** A list of names that stay, or new names with the columns of the file. */
function readNames(names: readonly string[] | Readonly<Record<string, string>>): Join['on'] {
  return isList(names)
    ? names.map((name) => ({ name, fileColumn: name }))
    : Object.entries(names).map(([name, fileColumn]) => ({ name, fileColumn }));
}

/** Unlike `Array.isArray`, it knows readonly lists. */
function isList(
  names: readonly string[] | Readonly<Record<string, string>>,
): names is readonly string[] {
  return Array.isArray(names);
}

type AggregateDocument = NonNullable<NonNullable<DatasetDocument['rows']>[number]['aggregate']>;

/** The columns by which rows are aggregated, and what becomes of the others. */
function readAggregate(
  { by: written, values, totals = {} }: AggregateDocument,
  report: Report,
): Aggregate {
  const by: Aggregate['by'] = Array.isArray(written)
    ? written.map((name) => ({ name }))
    : Object.entries(written).map(([name, expression]) => ({ name, expression }));
  const names = by.map(({ name }) => name);
  for (const name of Object.keys(totals)) {
    if (names.includes(name)) continue;
    report.at('totals', name)(`by has no '${name}'.`, nameHint(name, names));
  }
  const folded = (name: string) => name.toLowerCase();
  const all = [...names, ...Object.keys(values)];
  const repeated = all.find(
    (name, index) => all.findIndex((other) => folded(other) === folded(name)) !== index,
  );
  if (repeated !== undefined) {
    report(`There are two columns '${repeated}'.`, 'Give each new column a different name.');
  }
  return {
    by,
    values: Object.entries(values).flatMap(
      ([name, value]) => readValue(name, value, report.at('values', name)) ?? [],
    ),
    totals: Object.entries(totals).map(([name, label]) => ({ name, label })),
  };
}

function readValue(
  name: string,
  value: AggregateDocument['values'][string],
  report: Report,
): AggregateValue | undefined {
  const [first, ...more] = AGGREGATE_FUNCTIONS.flatMap((one) => {
    const column = value[one];
    return column === undefined ? [] : [{ function: one, column }];
  });
  if (first === undefined || more.length > 0) {
    const found = [first, ...more].flatMap((one) => one?.function ?? []);
    report(
      found.length === 0 ? 'It has no function.' : `It has ${found.join(' and ')}.`,
      `Write one of ${AGGREGATE_FUNCTIONS.join(', ')} with a column: { sum: Visits }.`,
    );
    return undefined;
  }
  if (value.format === undefined) return { name, ...first };
  const format = parseNumberFormat(value.format);
  if (format === undefined || first.function === 'count') {
    report.at('format')(
      first.function === 'count'
        ? 'A count cannot have a format.'
        : `'${value.format}' is not a number format.`,
      first.function === 'count'
        ? 'Leave it out.'
        : 'Write how the files write 1234 or 1234.5, such as 1,234.5 or 1.234,5 or $1,234 or 1234.5%.',
    );
    return undefined;
  }
  return { name, ...first, format };
}
