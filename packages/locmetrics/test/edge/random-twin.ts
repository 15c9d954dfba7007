import type { Grant } from '@locmetrics/core/domain/grant';
import type { Value } from '@locmetrics/core/domain/value';
import type { SourceRow, Table } from '../conformance/table.ts';
import { tableWithoutHidden, withheldFields } from '../conformance/without-hidden.ts';

/**
 * The table with other values wherever the grant hides them: of hidden fields, of hidden records, and of small cells. Some
 * hidden records are left out. All that the caller may know of each record stays, its marks too.
 */
export function twinOf(table: Table, grant: Grant): Table {
  const { rows } = table;
  const { fields, key } = table.version.dataset;
  const hidden = fields.filter(({ name }) => !(grant.fields?.includes(name) ?? true));
  const others = (name: string, index: number): readonly Value[] =>
    rows.map((_, step) => rows[(index + step + 1) % rows.length]?.[name] ?? null);
  const isSame = (one: SourceRow, other: SourceRow): boolean =>
    textOf(seen(table, one, grant)) === textOf(seen(table, other, grant));
  const twins = rows.flatMap((row, index): readonly SourceRow[] => {
    const isHidden = seen(table, row, grant) === undefined;
    if (isHidden && index % 2 === 0) return [];
    const withheld = withheldFields(row, table, grant);
    const changed = isHidden ? fields : [...hidden, ...withheld];
    let twin = row;
    for (const { name } of changed.filter((field) => !key.includes(field.name))) {
      // The first other value that the caller cannot tell from the present one.
      const tries = others(name, index).map((value) => ({ ...twin, [name]: value }));
      const isOther = (one: SourceRow) => String(one[name]) !== String(row[name]);
      twin = tries.find((one) => isOther(one) && isValid(one) && isSame(one, row)) ?? twin;
    }
    return [twin];
  });
  return { version: { ...table.version, rowCount: twins.length }, rows: twins };
}

/** Whether a publish accepts the record: a point has two coordinates, and a period does not end before it starts. */
function isValid(row: SourceRow): boolean {
  const present = (name: string): boolean => (row[name] ?? null) !== null;
  const isInOrder = String(row['first_day']) <= String(row['last_day']);
  return (
    present('latitude') === present('longitude') &&
    (isInOrder || !present('first_day') || !present('last_day'))
  );
}

/** All that the caller may know of a record: its visible values and its marks. Undefined if it is hidden. */
function seen(table: Table, row: SourceRow, grant: Grant) {
  const { rows, version } = tableWithoutHidden({ ...table, rows: [row] }, grant);
  const [found] = rows;
  if (found === undefined) return undefined;
  const names = version.dataset.fields.map(({ name }) => name);
  const marks = withheldFields(row, table, grant).filter(
    ({ name, marksWithheld }) => marksWithheld === true && names.includes(name),
  );
  return [names.map((name) => String(found[name] ?? '')), marks.map(({ name }) => name)];
}

const textOf = (known: unknown): string => JSON.stringify(known ?? null);
