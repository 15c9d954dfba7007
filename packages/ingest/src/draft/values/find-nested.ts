import type { Unnest } from '../../manifest/row-steps.ts';

/** A column with lists or maps of numbers. */
export type NestedColumn = {
  readonly column: string;
  readonly of: 'list' | 'map';
  /** The lengths of lists. */
  readonly lengths: readonly number[];
  /** Whether the keys of maps are codes, such as those of areas. */
  readonly hasCodes: boolean;
  /** Two keys of maps. */
  readonly examples: readonly string[];
};

/** A dataset with a row for each number of the lists or maps of some columns. */
export type DraftUnnest = {
  /** What follows the name of the dataset of the rows themselves. */
  readonly suffix: string;
  readonly step: Unnest;
  /** The columns after the step that become fields. */
  readonly columns: readonly string[];
  /** Those that identify a row: the ids of the rows before, and the day or the key of a number. */
  readonly key: readonly string[];
  /** Whether the keys of its maps are places, too. */
  readonly isRelated: boolean;
};

/** Finds out whether the texts of a column are lists or maps of numbers, all of one kind. */
export function findNested(column: string, texts: readonly string[]): NestedColumn | undefined {
  if (!texts.some((text) => /^\s*[[{]/.test(text))) return undefined;
  const values = texts.map(parse);
  if (values.every((value) => Array.isArray(value) && value.length > 0 && value.every(isNumber))) {
    const lengths = new Set(values.map((value) => (Array.isArray(value) ? value.length : 0)));
    // Two or three numbers are rather a position.
    if (Math.max(...lengths) < LENGTH_MIN) return undefined;
    return { column, of: 'list', lengths: [...lengths], hasCodes: false, examples: [] };
  }
  const areMaps = values.every((value) => isObject(value) && Object.values(value).every(isNumber));
  const keys = [...new Set(values.flatMap((value) => (isObject(value) ? Object.keys(value) : [])))];
  if (!areMaps || keys.length === 0) return undefined;
  const hasCodes = keys.every((key) => CODE.test(key));
  return { column, of: 'map', lengths: [], hasCodes, examples: keys.slice(0, 2) };
}

const LENGTH_MIN = 4;

/** The code of an area, with or without the letters of its country: 360610112021, CA:59150307. */
const CODE = /^([A-Z]{2}[:-]?)?\d{4,15}$/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
