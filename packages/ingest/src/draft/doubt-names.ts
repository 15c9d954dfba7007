import type { DraftDataset } from './draft-dataset.ts';

/** Says which values would be those of places if upper and lower case and spaces did not differ. */
export function doubtNames(datasets: readonly DraftDataset[]): readonly DraftDataset[] {
  return datasets.map((dataset) => {
    if (dataset.period === undefined) return dataset;
    const doubts = new Map(
      [...dataset.keyValues].flatMap(([name, values]) => {
        const found = datasets.flatMap((other) =>
          other === dataset || other.period !== undefined ? [] : (nearlyThose(values, other) ?? []),
        )[0];
        return found === undefined ? [] : [[name, doubtOf(found)] as const];
      }),
    );
    if (doubts.size === 0) return dataset;
    const fields = dataset.fields.map((field) => {
      const doubt = doubts.get(field.name);
      return doubt === undefined ? field : { ...field, doubts: [...field.doubts, doubt] };
    });
    return { ...dataset, fields };
  });
}

type Nearly = {
  readonly dataset: string;
  readonly field: string;
  readonly value: string;
  readonly known: string;
  readonly count: number;
};

/** The field of places that has most values in another spelling, and few as they are. */
function nearlyThose(
  values: ReadonlySet<string>,
  { name, keyValues, alternatives }: DraftDataset,
): Nearly | undefined {
  for (const [field, known] of [...keyValues, ...alternatives]) {
    const plain = new Map([...known].map((text) => [plainOf(text), text]));
    const others = [...values].filter((value) => !known.has(value) && plain.has(plainOf(value)));
    const [value] = others;
    if (value === undefined || others.length < values.size * MATCHED_MIN) continue;
    const text = plain.get(plainOf(value)) ?? '';
    return { dataset: name, field, value, known: text, count: others.length };
  }
  return undefined;
}

const MATCHED_MIN = 0.3;

function plainOf(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function doubtOf({ dataset, field, value, known, count }: Nearly): string {
  const values = count === 1 ? '1 value' : `${count.toLocaleString('en-US')} values`;
  return `Not joined with ${dataset}, because ${values} only differ in case or spaces from its ${field}: '${value}' there is '${known}'. Write both in one way, for example with an expression: upper(…) in both datasets.`;
}
