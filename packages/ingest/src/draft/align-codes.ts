import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { DraftDataset } from './draft-dataset.ts';

/** Fills up codes with the zeros that they have lost, if they are the codes of places in another dataset then. */
export function alignCodes(datasets: readonly DraftDataset[]): readonly DraftDataset[] {
  return datasets.map((dataset) => {
    for (const name of dataset.key.fields) {
      const values = dataset.keyValues.get(name);
      if (values === undefined || ![...values].every((value) => /^\d+$/.test(value))) continue;
      const others = datasets.filter((other) => other !== dataset);
      const found =
        others.flatMap((other) => matchOf(values, other))[0] ??
        (dataset.key.fields.length === 1 && dataset.period === undefined
          ? others.flatMap((other) => paddedAs(values, other))[0]
          : undefined);
      if (found !== undefined) return aligned(dataset, name, found);
    }
    return dataset;
  });
}

type Match = { readonly pad: number | undefined; readonly of: string };

/** How the codes match those of a dataset that has one of them in each row. */
function matchOf(
  values: ReadonlySet<string>,
  { key, keyValues }: DraftDataset,
): Match | readonly [] {
  const [of, ...more] = key.fields;
  const known = of === undefined || more.length > 0 ? undefined : keyValues.get(of);
  if (of === undefined || known === undefined) return [];
  const matched = (pad: number) =>
    [...values].filter((value) => known.has(value.padStart(pad, '0'))).length;
  if (matched(0) >= values.size * MATCHED_MIN) return { pad: undefined, of };
  const [length, ...others] = new Set([...known].map((value) => value.length));
  if (length === undefined || others.length > 0) return [];
  return matched(length) >= values.size * MATCHED_MIN ? { pad: length, of } : [];
}

/** Codes of places that have lost the zeros that the values of another dataset have: not all places have values. */
function paddedAs(
  values: ReadonlySet<string>,
  { key, keyValues, period }: DraftDataset,
): readonly Match[] {
  if (period === undefined) return [];
  return key.fields.flatMap((of): readonly Match[] => {
    const known = keyValues.get(of);
    const [length = 0, ...others] = new Set([...(known ?? [])].map((value) => value.length));
    if (known === undefined || others.length > 0) return [];
    if (![...known].every((value) => /^\d+$/.test(value))) return [];
    const padded = [...values].map((value) => value.padStart(length, '0'));
    const isPadded = padded.some((value) => !values.has(value) && known.has(value));
    const matched = padded.filter((value) => known.has(value)).length;
    const isMost = matched >= known.size * MATCHED_MIN;
    return isPadded && isMost ? [{ pad: length, of }] : [];
  });
}

const MATCHED_MIN = 0.5;

function aligned(dataset: DraftDataset, name: string, { pad, of }: Match): DraftDataset {
  const values = dataset.keyValues.get(name) ?? new Set();
  const field = dataset.fields.find((one) => one.name === name);
  const isText = field?.document.type === 'string';
  const isPlain = typeof (field?.document.column ?? name) === 'string';
  const isComputed = field?.document.expression !== undefined;
  if (field === undefined || isComputed || !isPlain || (isText && pad === undefined))
    return dataset;
  const { format: _, column = name, ...document } = field.document;
  // Numbers of Parquet are filled up only as texts, as which an expression reads them.
  const isNumber = dataset.files.some(({ format }) => format === 'parquet');
  const source = isNumber
    ? { expression: quoteIdentifier(String(column)) }
    : column === name
      ? {}
      : { column };
  const changed = {
    ...field,
    document: {
      ...document,
      ...source,
      type: 'string' as const,
      ...(pad === undefined ? {} : { pad }),
    },
    doubts: pad === undefined ? field.doubts : [`Padded to ${pad} digits, to match ${of}.`],
  };
  return {
    ...dataset,
    fields: dataset.fields.map((one) => (one === field ? changed : one)),
    keyValues: new Map([
      ...dataset.keyValues,
      [name, new Set([...values].map((value) => value.padStart(pad ?? 0, '0')))],
    ]),
  };
}
