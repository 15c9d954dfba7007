import type { DraftDataset } from './draft-dataset.ts';

/**
 * Gives places the key that the values of another dataset have: the codes of airports are often beside the numbers of
 * their rows.
 */
export function chooseKeys(datasets: readonly DraftDataset[]): readonly DraftDataset[] {
  const chosen = new Map<DraftDataset, string>();
  for (const dataset of datasets) {
    if (dataset.period === undefined) continue;
    const others = datasets.filter((other) => other !== dataset && other.alternatives.size > 0);
    for (const [, values] of dataset.keyValues) {
      const isKnown = datasets.some(
        (other) =>
          other !== dataset && [...other.keyValues.values()].some((known) => isMost(values, known)),
      );
      if (isKnown) continue;
      for (const other of others) {
        const found = [...other.alternatives].find(([, known]) => isMost(values, known));
        if (found !== undefined && !chosen.has(other)) chosen.set(other, found[0]);
      }
    }
  }
  return datasets.map((dataset) => {
    const name = chosen.get(dataset);
    return name === undefined ? dataset : withKey(dataset, name);
  });
}

function isMost(values: ReadonlySet<string>, known: ReadonlySet<string>): boolean {
  const matched = [...values].filter((value) => known.has(value)).length;
  return values.size > 0 && matched >= values.size * MATCHED_MIN;
}

const MATCHED_MIN = 0.5;

function withKey(dataset: DraftDataset, name: string): DraftDataset {
  const values = dataset.alternatives.get(name) ?? new Set();
  const lacking = dataset.rowCount - values.size;
  const column = dataset.fields.find((field) => field.name === name)?.document.column ?? name;
  return {
    ...dataset,
    key: { ...dataset.key, fields: [name] },
    nameKey: undefined,
    keyValues: new Map([[name, values]]),
    rowCount: values.size,
    lacking:
      lacking === 0
        ? undefined
        : { condition: `trim("${String(column).replaceAll('"', '""')}") <> ''`, count: lacking },
  };
}
