import { snake } from './valid-name.ts';

/** A column whose numbers are the codes of another file. */
export type SharedCode = {
  /** The digits of the codes there, if they begin with zeros that are missing here. */
  readonly pad: number | undefined;
  /** The field with the codes, and how many of the different numbers are among them. */
  readonly of: string;
  readonly matched: number;
  readonly count: number;
};

/** The different digits of fields that are codes, or could be those of another file. */
export type DigitValues = readonly {
  readonly name: string;
  /** The column of the file. */
  readonly column: string;
  readonly isCode: boolean;
  readonly isText: boolean;
  readonly values: ReadonlySet<string>;
}[];

/** The columns of each dataset whose numbers are the codes of another one. */
export function findSharedCodes(
  datasets: readonly { readonly digits: DigitValues }[],
): readonly ReadonlyMap<string, SharedCode>[] {
  return datasets.map((dataset) => {
    const others = datasets.flatMap((other) => (other === dataset ? [] : other.digits));
    const known = others.filter(({ isCode }) => isCode);
    const found = dataset.digits.flatMap((field) => {
      const matches = known.flatMap((codes) => matchOf(field, codes) ?? []);
      const [best] = matches.toSorted((left, right) => right.matched - left.matched);
      // A text that is complete already needs nothing.
      const isNeeded = best !== undefined && (!field.isText || best.pad !== undefined);
      return isNeeded ? [[field.column, best] as const] : [];
    });
    return new Map(found);
  });
}

function matchOf(field: DigitValues[number], codes: DigitValues[number]): SharedCode | undefined {
  const [length = 0, ...others] = new Set([...codes.values].map((value) => value.length));
  const pad = others.length === 0 ? length : 0;
  const matched = [...field.values].filter((value) => codes.values.has(value.padStart(pad, '0')));
  const isPadded = matched.some((value) => value.length < pad);
  if (matched.length < 2 || matched.length < field.values.size * MATCHED_MIN) return undefined;
  // Small numbers are among others by chance.
  if (isDense(codes.values) && !areRelated(field.name, codes.name)) return undefined;
  return {
    pad: isPadded ? pad : undefined,
    of: codes.name,
    matched: matched.length,
    count: field.values.size,
  };
}

const MATCHED_MIN = 0.5;

/** Whether codes are many of the numbers between the least and the greatest of them. */
function isDense(values: ReadonlySet<string>): boolean {
  let [least, greatest] = [Infinity, 0];
  for (const value of values) {
    least = Math.min(least, Number(value));
    greatest = Math.max(greatest, Number(value));
  }
  return values.size / (greatest - least + 1) > DENSE_MIN;
}

const DENSE_MIN = 0.2;

/** Whether names have a word in common that says what they are. */
function areRelated(one: string, other: string): boolean {
  const words = (name: string) =>
    snake(name)
      .split('_')
      .filter((word) => !/^(id|ids|code|codes|no|nr|number|key|column|\d*|)$/.test(word));
  const known = new Set(words(other));
  return words(one).some((word) => known.has(word));
}
