import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { RAW_ROWS, textColumn } from '../../steps/staged-rows.ts';

/** Columns that have each label only in the first row of its group. */
export type FoundFillDown = {
  readonly columns: readonly string[];
  /** The number of rows that get a label from above. */
  readonly count: number;
  /** Whether rows differ by the filled labels only. Else the blanks can be absent values. */
  readonly isStep: boolean;
  /** The first of the labels. */
  readonly example: string;
};

/**
 * Finds the first columns of a table in which each label is in one row, with blanks below it. They are filled if the
 * labels tell rows apart that nothing else does.
 */
export async function findFillDown(
  connection: ImportConnection,
  columns: readonly string[],
  {
    ofNames,
    fileStarts,
  }: {
    /** The columns that each row has by the name of its file. */
    readonly ofNames: ReadonlySet<string>;
    readonly fileStarts: readonly number[];
  },
): Promise<FoundFillDown | undefined> {
  const own = columns.flatMap((name, index) => (ofNames.has(name) ? [] : [index]));
  const texts = own.map((index) => `nullif(trim(${textColumn(index)}), '') AS c${index}`);
  const anyText = own.map((index) => `c${index}`).join(', ');
  const rows = `(SELECT rowid AS place, ${texts.join(', ')} FROM ${RAW_ROWS})`;
  const starts = fileStarts.length === 0 ? [0] : fileStarts;
  const filled = `(SELECT *, len(list_filter([${starts.join(', ')}], lambda start: start <= place)) AS file
    FROM ${rows} WHERE coalesce(${anyText}) IS NOT NULL)`;
  const [counted] = await connection.list(
    `SELECT count(*)::DOUBLE AS rows, ${own
      .map(
        (index) => `count(c${index})::DOUBLE AS filled_${index},
          count(c${index}) FILTER (WHERE is_first)::DOUBLE AS first_${index}`,
      )
      .join(', ')}
      FROM (SELECT *, row_number() OVER (PARTITION BY file ORDER BY place) = 1 AS is_first
        FROM ${filled})`,
  );
  if (counted === undefined) return undefined;
  const rowCount = numberOf(counted, 'rows');
  const labels: number[] = [];
  for (const index of own.slice(0, LABELS_MAX)) {
    const isLabel =
      numberOf(counted, `filled_${index}`) < rowCount &&
      numberOf(counted, `first_${index}`) === starts.length;
    if (!isLabel) break;
    labels.push(index);
  }
  const others = own.filter((index) => index > (labels.at(-1) ?? -1)).slice(0, OTHERS_MAX);
  let doubtful: FoundFillDown | undefined;
  for (; labels.length > 0; labels.pop()) {
    const found = await check(connection, filled, { labels, others, rowCount });
    if (found === undefined) continue;
    const one = { columns: labels.map((index) => columns[index] ?? ''), ...found };
    if (found.isStep) return one;
    doubtful ??= one;
  }
  return doubtful;
}

const LABELS_MAX = 4;
const OTHERS_MAX = 3;

async function check(
  connection: ImportConnection,
  filled: string,
  {
    labels,
    others,
    rowCount,
  }: {
    readonly labels: readonly number[];
    readonly others: readonly number[];
    readonly rowCount: number;
  },
): Promise<Omit<FoundFillDown, 'columns'> | undefined> {
  const [first] = labels;
  const outer = labels.map((_, at) =>
    at === 0
      ? `0 AS g0`
      : `count(coalesce(${labels
          .slice(0, at)
          .map((index) => `c${index}`)
          .join(
            ', ',
          )})) OVER (PARTITION BY file ORDER BY place ROWS UNBOUNDED PRECEDING) AS g${at}`,
  );
  const values = labels.map(
    (index, at) =>
      `last_value(c${index} IGNORE NULLS) OVER (PARTITION BY file, g${at} ORDER BY place ROWS UNBOUNDED PRECEDING) AS f${at}`,
  );
  const rows = `(SELECT *, ${values.join(', ')} FROM (SELECT *, ${outer.join(', ')} FROM ${filled}))`;
  const sets = others.map((_, at) =>
    others.slice(0, at + 1).map((index) => `coalesce(c${index}, '')`),
  );
  const [row] = await connection.list(
    `SELECT arg_min(c${first}, place) AS example,
      ${labels
        .map(
          (index, at) => `count(c${index})::DOUBLE AS labels_${at},
            count(DISTINCT (file, g${at}, c${index})) FILTER (WHERE c${index} IS NOT NULL)::DOUBLE AS distinct_${at},
            count(f${at})::DOUBLE AS filled_${at}`,
        )
        .join(', ')},
      ${sets
        .map(
          (
            set,
            at,
          ) => `count(DISTINCT (file, ${labels.map((_, one) => `f${one}`).join(', ')}, ${set.join(', ')}))::DOUBLE AS keys_${at},
            count(DISTINCT (file, ${labels.map((index) => `coalesce(c${index}, '')`).join(', ')}, ${set.join(', ')}))::DOUBLE AS before_${at},
            count(DISTINCT (file, ${set.join(', ')}))::DOUBLE AS values_${at},
            count(*) FILTER (WHERE regexp_matches(${set.at(-1)}, '[A-Za-z]'))::DOUBLE AS words_${at}`,
        )
        .join(', ')}
      FROM ${rows}`,
  );
  if (row === undefined) return undefined;
  const areLabels = labels.every((_, at) => {
    const count = numberOf(row, `labels_${at}`);
    return (
      count >= 2 &&
      numberOf(row, `distinct_${at}`) === count &&
      numberOf(row, `filled_${at}`) === rowCount &&
      // Most groups have several rows.
      rowCount - count >= count
    );
  });
  const isKey = sets.some((_, at) => {
    // Numbers that never repeat are measures, and tell rows apart by chance.
    const canBeKey =
      numberOf(row, `words_${at}`) > 0 || numberOf(row, `values_${at}`) * 2 <= rowCount;
    const isUnique = numberOf(row, `keys_${at}`) === rowCount;
    return canBeKey && isUnique && numberOf(row, `before_${at}`) < rowCount;
  });
  if (!areLabels) return undefined;
  return {
    isStep: isKey,
    count: rowCount - numberOf(row, 'labels_0'),
    example: String(row['example'] ?? ''),
  };
}
