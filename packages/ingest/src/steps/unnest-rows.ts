import { numberOf, textOf } from '@locmetrics/column-store/publish/result-row';
import type { ListRows } from '@locmetrics/column-store/publish/watched-connection';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { DECIMAL, matches } from '../formats/field-reading.ts';
import type { Unnest } from '../manifest/row-steps.ts';
import { checkExpression } from './check-expression.ts';
import { explainRows } from './explain-rows.ts';
import {
  type ComputedRows,
  HIDDEN_ITEM,
  HIDDEN_ROW,
  hiddenColumn,
  type Rows,
} from './staged-rows.ts';
import { StepError } from './step-error.ts';

/** Lists or maps whose numbers become rows. */
export type Unnested = {
  readonly rows: Rows;
  /** The columns of the rows before that its expression uses. */
  readonly used: readonly string[];
  /** The rows with the first day, to find the one for which its expression fails. */
  readonly computed: readonly ComputedRows[];
  /** Refuses rows that have something else than such lists or maps. */
  readonly check: () => Promise<{ readonly notices: readonly string[] }>;
};

export async function unnestRows(
  list: ListRows,
  step: Unnest & { readonly number: number },
  { before, nulls }: { readonly before: Rows; readonly nulls: readonly string[] },
): Promise<Unnested> {
  const keys = ['rows', String(step.number), 'unpivot'];
  const { name, values, start } = step;
  for (const { column } of values) {
    if (before.columns.includes(column)) continue;
    throw new StepError([...keys, step.of], {
      reason: `there is no column '${column}'`,
      hint: nameHint(column, before.columns),
    });
  }
  const taken = values.map(({ column }) => column);
  const kept = before.columns.filter((column) => !taken.includes(column));
  const columns = [...kept, name, ...values.map((value) => value.name)];
  const folded = columns.map((column) => column.toLowerCase());
  const repeated = columns.find((_, index) => folded.indexOf(folded[index] ?? '') !== index);
  if (repeated !== undefined) {
    throw new StepError(keys, {
      reason: `there is already a column '${repeated}'`,
      hint: 'Give the new column another name.',
    });
  }
  const startKeys = [...keys, 'start'];
  const used = start === undefined ? [] : await checkExpression(list, start, startKeys);
  const computed: readonly ComputedRows[] =
    start === undefined
      ? []
      : [{ ...before, keys: startKeys, computed: `CAST((${start}\n) AS VARCHAR)` }];
  for (const one of computed) await explainRows(list, one);
  const read = (base: string) => readSql(step, before.sql(base), computed[0]?.computed, nulls);
  const rows: Rows = { ...before, sql: (base) => itemsSql(step, read(base), kept), columns, keys };
  await explainRows(list, rows);
  return {
    rows,
    used,
    computed,
    check: async () => {
      await refuseRows(list, read(before.base), step, keys);
      return { notices: await countEmpty(list, read(before.base), step) };
    },
  };
}

const START = hiddenColumn('start', 0);

/** The rows before, with the texts of each list, the keys of each map, and the first day. */
function readSql(
  { of, values }: Unnest,
  rows: string,
  start: string | undefined,
  nulls: readonly string[],
): string {
  const isNull = nulls.map((text) => quoteLiteral(text.trim())).join(', ');
  const path = of === 'list' ? '$[*]' : '$.*';
  const lists = values.flatMap(({ column }, index) => {
    const text = quoteIdentifier(column);
    // An AND does not keep the engine from looking at the type of a text that is not JSON.
    const isRead = `CASE WHEN json_valid(${text}) THEN json_type(${text}) = '${JSON_TYPES[of]}' ELSE false END`;
    const texts = `json_extract_string(${text}, '${path}')`;
    return [
      `CASE WHEN ${isRead} THEN ${nulls.length === 0 ? texts : `list_transform(${texts}, lambda one: CASE WHEN trim(coalesce(one, 'null')) IN (${isNull}) THEN '' ELSE coalesce(one, 'null') END)`} END AS ${hiddenColumn('list', index)}`,
      ...(of === 'map'
        ? [`CASE WHEN ${isRead} THEN json_keys(${text}) END AS ${hiddenColumn('keys', index)}`]
        : []),
    ];
  });
  const first = start === undefined ? [] : [`${start} AS ${START}`];
  return `SELECT *, ${[...lists, ...first].join(', ')} FROM (${rows})`;
}

const JSON_TYPES = { list: 'ARRAY', map: 'OBJECT' } as const;

/** A row for each number. */
function itemsSql(step: Unnest, read: string, kept: readonly string[]): string {
  const { of, name, values, start } = step;
  const keptColumns = [HIDDEN_ROW, ...kept.map(quoteIdentifier)];
  const names =
    of === 'map' ? hiddenColumn('keys', 0) : `range(len(${hiddenColumn('list', 0)})::INTEGER)`;
  const items = values.map(
    (_, index) => `unnest(${hiddenColumn('list', index)}) AS ${hiddenColumn('item', index)}`,
  );
  const numbers = values.map(
    (value, index) =>
      `nullif(regexp_replace(${hiddenColumn('item', index)}, '[.]0$', ''), '') AS ${quoteIdentifier(value.name)}`,
  );
  return `SELECT ${[...keptColumns, `${itemName(step)} AS ${quoteIdentifier(name)}`, ...numbers].join(', ')}
    FROM (SELECT ${[...keptColumns, ...(start === undefined ? [] : [START]), `unnest(${names}) AS ${HIDDEN_ITEM}`, ...items].join(', ')}
      FROM (${read}))`;
}

/** The text that tells the numbers of a row apart. */
function itemName({ of, start, each }: Unnest): string {
  if (of === 'map') return HIDDEN_ITEM;
  const day = (days: string) =>
    `CAST(TRY_CAST(left(trim(${START}), 10) AS DATE) + (${days})::INTEGER AS VARCHAR)`;
  const hour = `lpad((${HIDDEN_ITEM} % 24)::VARCHAR, 2, '0')`;
  switch (each) {
    case 'day':
      return day(HIDDEN_ITEM);
    case 'hour':
      return start === undefined
        ? hour
        : `${day(`${HIDDEN_ITEM} // 24`)} || ' ' || ${hour} || ':00:00'`;
    case undefined:
      return `(${HIDDEN_ITEM} + 1)::VARCHAR`;
  }
}

type Refusal = {
  readonly condition: string;
  readonly keys: readonly string[];
  readonly shown: string;
  readonly reason: string;
  readonly hint: string;
};

async function refuseRows(
  list: ListRows,
  read: string,
  step: Unnest,
  keys: readonly string[],
): Promise<void> {
  const refusals = [
    ...step.values.flatMap((_, index) => valueRefusals(step, index, [...keys, step.of])),
    ...listRefusals(step, keys),
  ];
  const reasons = refusals.map(({ condition }, index) => `WHEN ${condition} THEN ${index}`);
  const shown = refusals.map((one, index) => `WHEN ${index} THEN ${one.shown}`);
  const found = `SELECT ${HIDDEN_ROW} AS row, CASE refusal ${shown.join(' ')} END AS shown, refusal
    FROM (SELECT *, CASE ${reasons.join(' ')} END AS refusal FROM (${read})) WHERE refusal IS NOT NULL`;
  await refuseFound(list, found, refusals);
  if (step.of !== 'list') return;
  const [first] = step.values;
  const lengths = `SELECT ${HIDDEN_ROW} AS row, ${quoteIdentifier(first?.column ?? '')} AS shown,
    len(${hiddenColumn('list', 0)}) AS length, ${step.start === undefined ? `''` : `left(trim(${START}), 10)`} AS start
    FROM (${read})`;
  const counted = `SELECT start, length, count(*) AS count, min(row) AS row FROM (${lengths}) GROUP BY start, length`;
  const usual = `SELECT start, first(length ORDER BY count DESC, row) AS usual FROM (${counted}) GROUP BY start`;
  const sameStart = step.start === undefined ? '' : ' with the same start';
  await refuseFound(
    list,
    `SELECT row, length || ' values: ' || shown AS shown, 0 AS refusal
      FROM (${lengths}) JOIN (${usual}) USING (start) WHERE length <> usual`,
    [
      {
        keys: [...keys, 'list'],
        reason: `in '${first?.column ?? ''}' is a list of another length than the others${sameStart}`,
        hint: `Correct the list, or add a step before that keeps the others, such as - where: json_array_length(${quoteIdentifier(first?.column ?? '')}) = 7`,
      },
    ],
  );
}

/** Refuses the rows of the first refusal that has some. */
async function refuseFound(
  list: ListRows,
  found: string,
  refusals: readonly Pick<Refusal, 'keys' | 'reason' | 'hint'>[],
): Promise<void> {
  const counted = await list(
    `SELECT refusal::DOUBLE AS refusal, count(*)::DOUBLE AS count FROM (${found})
      GROUP BY refusal ORDER BY refusal LIMIT 1`,
  );
  const [row] = counted;
  if (row === undefined) return;
  const number = numberOf(row, 'refusal');
  const refusal = refusals[number];
  if (refusal === undefined) throw new Error(`There is no refusal ${number}.`);
  const examples = await list(
    `SELECT row::DOUBLE AS row, shown FROM (${found}) WHERE refusal = ${number} ORDER BY row LIMIT ${EXAMPLES_MAX}`,
  );
  throw new StepError(refusal.keys, {
    reason: refusal.reason,
    hint: refusal.hint,
    rows: examples.map((one) => ({
      row: numberOf(one, 'row'),
      ...(one['shown'] === null ? {} : { value: textOf(one, 'shown') }),
    })),
    count: numberOf(row, 'count'),
  });
}

const EXAMPLES_MAX = 20;

/** What a value must not be. */
function valueRefusals(
  { of, values }: Unnest,
  index: number,
  keys: readonly string[],
): readonly Refusal[] {
  const column = values[index]?.column ?? '';
  const text = quoteIdentifier(column);
  const what = of === 'list' ? 'a list' : 'a map';
  const texts = hiddenColumn('list', index);
  const isNumber = `(one = '' OR coalesce(${matches('one', DECIMAL)}, false))`;
  const wrong = `list_filter(${texts}, lambda one: NOT coalesce(${isNumber}, false))`;
  const example = of === 'list' ? '[3,5,2]' : '{"36061":4}';
  const members = hiddenColumn('keys', index);
  return [
    {
      condition: `${text} IS NULL`,
      shown: 'NULL',
      reason: `'${column}' has no ${of}`,
      hint: `To leave such rows out, add a step before: - where: ${text} IS NOT NULL`,
    },
    {
      condition: `NOT json_valid(${text})`,
      shown: text,
      reason: `in '${column}' is not JSON`,
      hint: `Write ${what} as JSON, such as ${example}.`,
    },
    {
      condition: `json_type(${text}) <> '${JSON_TYPES[of]}'`,
      shown: text,
      reason: `in '${column}' is not ${what}`,
      hint: `Write ${what} as JSON, such as ${example}.`,
    },
    {
      condition: `len(${wrong}) > 0`,
      shown: `coalesce(${wrong}[1], 'null')`,
      reason: `in the ${of} in '${column}' is not a number`,
      hint: 'If it means that the number is absent, declare it: read: { nulls: [...] }.',
    },
    ...(of === 'map'
      ? [
          {
            condition: `len(list_distinct(${members})) < len(${members})`,
            shown: text,
            reason: `in '${column}' is a map that has a key twice`,
            hint: 'Write each key once.',
          },
        ]
      : []),
  ].map((refusal) => ({ ...refusal, keys }));
}

/** What the lists of a row must not be together. */
function listRefusals(
  { of, values, start, each }: Unnest,
  keys: readonly string[],
): readonly Refusal[] {
  if (of === 'map') return [];
  const length = `len(${hiddenColumn('list', 0)})`;
  const others = values.slice(1).map(({ column }, index) => ({
    condition: `len(${hiddenColumn('list', index + 1)}) <> ${length}`,
    shown: quoteIdentifier(column),
    keys: [...keys, 'list'],
    reason: `in '${column}' is a list of another length than that in '${values[0]?.column ?? ''}'`,
    hint: 'Unpivot lists of different lengths in different datasets.',
  }));
  const hours: readonly Refusal[] =
    each === 'hour'
      ? [
          {
            condition: start === undefined ? `${length} <> 24` : `${length} % 24 <> 0`,
            shown: `${length}::VARCHAR`,
            keys: [...keys, 'each'],
            reason: `numbers are not the hours of ${start === undefined ? 'a day' : 'whole days'}`,
            hint: 'Correct the list, or leave each out for positions.',
          },
        ]
      : [];
  const days: readonly Refusal[] =
    start === undefined
      ? []
      : [
          {
            condition: `NOT coalesce(${matches(START, FIRST_DAY)} AND TRY_CAST(left(trim(${START}), 10) AS DATE) IS NOT NULL, false)`,
            shown: START,
            keys: [...keys, 'start'],
            reason: 'is not a first day YYYY-MM-DD',
            hint: `Its time, if there is one, must be midnight. Write an expression for the local day: start: strptime("Week", '%m/%d/%Y')`,
          },
        ];
  return [...others, ...hours, ...days];
}

/** A day, with nothing or the midnight of its place behind it. */
const FIRST_DAY =
  '[ ]*[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]00(:00(:00([.]0+)?)?)?[ ]?(Z|UTC|[+-][0-9]{2}(:?[0-9]{2})?)?)?[ ]*';

/** Rows with an empty map become no row, which is told. */
async function countEmpty(
  list: ListRows,
  read: string,
  { of, values }: Unnest,
): Promise<readonly string[]> {
  if (of === 'list') return [];
  const [row] = await list(
    `SELECT count(*) FILTER (WHERE len(${hiddenColumn('list', 0)}) = 0)::DOUBLE AS count FROM (${read})`,
  );
  const count = row === undefined ? 0 : numberOf(row, 'count');
  if (count === 0) return [];
  const rows = count === 1 ? '1 row has' : `${count.toLocaleString('en-US')} rows have`;
  return [
    `${rows} an empty map in '${values[0]?.column ?? ''}', and so no rows after the unpivot.`,
  ];
}
