import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { expressionOf } from '../manifest/name-pattern.ts';
import type { Unpivot } from '../manifest/row-steps.ts';
import { StepError } from './step-error.ts';

/** One row of an unpivot: what differs in the names, and the column of each value; absent: there is none. */
export type UnpivotRow = {
  readonly name: string;
  readonly columns: readonly (string | undefined)[];
};

/** The rows that each row becomes, in the order of the columns. */
export function unpivotRows(
  { values }: Unpivot,
  columns: readonly string[],
  keys: readonly string[],
): readonly UnpivotRow[] {
  const found = values.map(({ name, columns: wanted }) => {
    const matches = typeof wanted === 'string' ? byPattern(wanted, columns) : byName(wanted);
    const missing = [...matches.values()].find((column) => !columns.includes(column));
    if (missing !== undefined) {
      throw new StepError([...keys, 'values', name], {
        reason: `there is no column '${missing}'`,
        hint: nameHint(missing, columns),
      });
    }
    if (matches.size === 0) {
      throw new StepError([...keys, 'values', name], {
        reason: `no column matches '${String(wanted)}'`,
        hint: `# stands for a digit, * for any characters. ${nameHint('', columns)}`,
      });
    }
    return matches;
  });
  const names = [...new Set(found.flatMap((matches) => [...matches.keys()]))];
  return names.map((name) => ({ name, columns: found.map((matches) => matches.get(name)) }));
}

/** The columns that become rows, as far as there are any. */
export function unpivotedColumns(
  { values }: Unpivot,
  columns: readonly string[],
): readonly string[] {
  return values.flatMap(({ columns: wanted }) =>
    typeof wanted === 'string' ? [...byPattern(wanted, columns).values()] : wanted,
  );
}

function byName(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name, name]));
}

/** The columns that match a pattern, by the part from its first to its last placeholder. */
function byPattern(pattern: string, columns: readonly string[]): ReadonlyMap<string, string> {
  const expression = expressionOf(pattern);
  if (expression === undefined) return byName([pattern]);
  return new Map(
    columns.flatMap((column) => {
      const name = expression.exec(column)?.[1];
      return name === undefined ? [] : [[name, column] as const];
    }),
  );
}
