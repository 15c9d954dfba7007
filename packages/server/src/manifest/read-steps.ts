import type { LookupFile } from './manifest.ts';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import { readAggregate } from './read-aggregate.ts';
import { readJoin } from './read-join.ts';
import type { DuplicateRule, RowStep } from './row-steps.ts';

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
  at: readonly string[],
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
      report(
        [...at, 'fields', name, 'column'],
        'After steps, and beside expressions, a column has no position.',
        "Write its name. A column whose name is repeated or blank is named by its position: 'column 3'.",
      );
    }
  }
  const steps = rows.flatMap((step, number): readonly RowStep[] => {
    const place = [...at, 'rows', String(number)];
    const keys = Object.keys(step);
    if (keys.length !== 1) {
      report(
        place,
        keys.length === 0 ? 'The step is empty.' : `The step has ${keys.join(' and ')}.`,
        'Write one key for each step: - where: …',
      );
      return [];
    }
    if (step.where !== undefined) return [{ kind: 'where', number, condition: step.where }];
    if (step.unpivot !== undefined) {
      const values = Object.entries(step.unpivot.values);
      return [
        {
          kind: 'unpivot',
          number,
          name: step.unpivot.name,
          values: values.map(([name, columns]) => ({ name, columns })),
        },
      ];
    }
    if (step.aggregate !== undefined) {
      const aggregate = readAggregate(step.aggregate, [...place, 'aggregate'], report);
      return [{ kind: 'aggregate', number, ...aggregate }];
    }
    if (step.join !== undefined) {
      const join = readJoin(step.join, [...place, 'join'], report);
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
          report([...at, ...keys], 'The rows have this name.', 'Give the table another name.');
        }
        lookups.push(readLookup({ declared, step: number, table, columns: [], keys }));
      }
      return [{ kind: 'sql', number, query: select, tables: Object.keys(tables) }];
    }
    if (number < rows.length - 1) {
      report(
        [...place, 'duplicates'],
        'Rows have a key only after all steps.',
        'Write it as the last step.',
      );
    }
    return [];
  });
  const duplicates = rows.find((step) => step.duplicates !== undefined)?.duplicates;
  return { steps, lookups, duplicates };
}
