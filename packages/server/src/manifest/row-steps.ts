/** A step that the rows of the files go through. Its number is its place in the manifest, from 0. */
export type RowStep =
  | { readonly kind: 'where'; readonly number: number; readonly condition: string }
  | ({ readonly kind: 'unpivot'; readonly number: number } & Unpivot);

/** Columns that become rows. */
export type Unpivot = {
  /** The new column with the part of the name in which the columns differ. */
  readonly name: string;
  /** The new columns with the values, and the columns whose values they get. */
  readonly values: readonly {
    readonly name: string;
    readonly columns: string | readonly string[];
  }[];
};

export const DUPLICATE_RULES = ['first', 'last', 'sum', 'min', 'max', 'same'] as const;

/** How rows with the same key are combined. */
export type DuplicateRule = (typeof DUPLICATE_RULES)[number];
