import type { DatasetSource } from './manifest.ts';

/** The text of the total in each field that is a column with totals. */
export function totalLabels({
  steps,
  fields,
}: Pick<DatasetSource, 'steps' | 'fields'>): ReadonlyMap<string, string> {
  const columns = new Map<string, string>();
  for (const step of steps) {
    // A query may give its columns any meaning.
    if (step.kind === 'sql') columns.clear();
    if (step.kind !== 'aggregate') continue;
    for (const { name, label } of step.totals) columns.set(name, label);
  }
  return new Map(
    [...fields].flatMap(([field, source]) => {
      const [column] = source.columns;
      const label = source.columns.length === 1 ? columns.get(String(column)) : undefined;
      return label === undefined ? [] : [[field, label] as const];
    }),
  );
}
