import { nameHint } from '../domain/nearest-name.ts';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import { parseNumberFormat } from './number-format.ts';
import { AGGREGATE_FUNCTIONS, type Aggregate, type AggregateValue } from './row-steps.ts';

type AggregateDocument = NonNullable<NonNullable<DatasetDocument['rows']>[number]['aggregate']>;

/** The columns by which rows are aggregated, and what becomes of the others. */
export function readAggregate(
  { by: written, values, totals = {} }: AggregateDocument,
  at: readonly string[],
  report: Report,
): Aggregate {
  const by: Aggregate['by'] = Array.isArray(written)
    ? written.map((name) => ({ name }))
    : Object.entries(written).map(([name, expression]) => ({ name, expression }));
  const names = by.map(({ name }) => name);
  for (const name of Object.keys(totals)) {
    if (names.includes(name)) continue;
    report([...at, 'totals', name], `by has no '${name}'.`, nameHint(name, names));
  }
  const folded = (name: string) => name.toLowerCase();
  const all = [...names, ...Object.keys(values)];
  const repeated = all.find(
    (name, index) => all.findIndex((other) => folded(other) === folded(name)) !== index,
  );
  if (repeated !== undefined) {
    report(at, `There are two columns '${repeated}'.`, 'Give each new column a name of its own.');
  }
  return {
    by,
    values: Object.entries(values).flatMap(
      ([name, value]) => readValue(name, value, [...at, 'values', name], report) ?? [],
    ),
    totals: Object.entries(totals).map(([name, label]) => ({ name, label })),
  };
}

function readValue(
  name: string,
  value: AggregateDocument['values'][string],
  at: readonly string[],
  report: Report,
): AggregateValue | undefined {
  const [first, ...more] = AGGREGATE_FUNCTIONS.flatMap((one) => {
    const column = value[one];
    return column === undefined ? [] : [{ function: one, column }];
  });
  if (first === undefined || more.length > 0) {
    const found = [first, ...more].flatMap((one) => one?.function ?? []);
    report(
      at,
      found.length === 0 ? 'There is no function.' : `There are ${found.join(' and ')}.`,
      `Write one of ${AGGREGATE_FUNCTIONS.join(', ')} with a column: { sum: Visits }.`,
    );
    return undefined;
  }
  if (value.format === undefined) return { name, ...first };
  const format = parseNumberFormat(value.format);
  if (format === undefined || first.function === 'count') {
    report(
      [...at, 'format'],
      first.function === 'count'
        ? 'A count has no format.'
        : `'${value.format}' is not a format of numbers.`,
      first.function === 'count'
        ? 'Leave it out.'
        : 'Write how the files write 1234 or 1234.5, such as 1,234.5 or 1.234,5 or $1,234 or 1234.5%.',
    );
    return undefined;
  }
  return { name, ...first, format };
}
