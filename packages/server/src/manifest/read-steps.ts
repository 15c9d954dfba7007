import type { Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import type { DuplicateRule, RowStep } from './row-steps.ts';

/** The steps of the rows, and what happens to rows with the same key. */
export function readSteps(
  { rows = [], fields, read }: DatasetDocument,
  at: readonly string[],
  report: Report,
): { readonly steps: readonly RowStep[]; readonly duplicates: DuplicateRule | undefined } {
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
    if (number < rows.length - 1) {
      report(
        [...place, 'duplicates'],
        'Rows have a key only after all steps.',
        'Write it as the last step.',
      );
    }
    return [];
  });
  return { steps, duplicates: rows.find(({ duplicates }) => duplicates !== undefined)?.duplicates };
}
