import type { DatasetSource } from '../manifest/manifest.ts';
import { unpivotedColumns } from './unpivot-columns.ts';

/**
 * The columns of the files that a step or a field could use, by the texts of the manifest. The others exist in the
 * steps, so that messages know their names, but they are not read.
 */
export function neededColumns(
  columns: readonly string[],
  { steps, fields }: Pick<DatasetSource, 'steps' | 'fields'>,
): ReadonlySet<string> {
  // A SELECT can use columns without naming them.
  if (steps.some(({ kind }) => kind === 'sql')) return new Set(columns);
  const sources = [...fields.values()];
  const named = JSON.stringify([
    steps,
    sources.map(({ columns: own, expression }) => [own, expression]),
  ]).toLowerCase();
  const positions = sources.flatMap(({ columns: own }) =>
    own.flatMap((column) => (typeof column === 'number' ? column - 1 : [])),
  );
  const unpivoted = steps.flatMap((step) =>
    step.kind === 'unpivot' ? unpivotedColumns(step, columns) : [],
  );
  const needed = columns.filter(
    (name, index) =>
      // In JSON and in SQL such a name may be written in another way.
      !PLAIN_NAME.test(name) || named.includes(name.toLowerCase()) || positions.includes(index),
  );
  const all = new Set([...needed, ...unpivoted.filter((name) => columns.includes(name))]);
  const [first] = columns;
  return all.size > 0 || first === undefined ? all : new Set([first]);
}

const PLAIN_NAME = /^[ !#-[\]-~]+$/;
