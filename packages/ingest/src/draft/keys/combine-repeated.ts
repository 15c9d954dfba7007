import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf, textOf } from '@locmetrics/column-store/publish/result-row';
import type { DuplicateRule } from '../../manifest/row-steps.ts';
import type { DraftField } from '../values/draft-fields.ts';
import { measureKind } from '../values/measure-kind.ts';
import { TYPED_ROWS } from '../values/typed-rows.ts';
import type { FoundKey } from './find-key.ts';

/** How rows with one key become one. */
export type Combined = {
  readonly duplicates: DuplicateRule | undefined;
  /** Why that is right, where rows differ. */
  readonly reason: string | undefined;
  /** Whether rows are repeated because the dataset has only some fields of the file. */
  readonly isByDesign?: boolean;
  /** The rules among which the owner chooses; until then, nothing is published. */
  readonly choices: RepeatedChoices | undefined;
};

export type RepeatedChoices = {
  /** A key with several rows, and their number. */
  readonly example: string;
  readonly rules: readonly RuleEffect[];
  /** Measures of which a sum is meaningless. */
  readonly means: readonly string[];
  /** Measures of which neither the name nor the values show whether they can be summed. */
  readonly unclear: readonly string[];
};

/** The effect of a rule: the number of records, and totals. */
export type RuleEffect = {
  readonly rule: DuplicateRule;
  readonly records: number;
  /** The rows that it leaves out. */
  readonly leftOut: number;
  readonly totals: readonly {
    readonly field: string;
    readonly total: number;
    readonly ofFile: number;
  }[];
};

/** Combines only rows that are the same, or both of an hour at the end of summer time. */
export async function combineRepeated(
  connection: ImportConnection,
  {
    key,
    fields,
    rowCount,
    leastOf,
    isPoint,
    rowNumbers,
  }: {
    readonly key: FoundKey;
    /** In the order of the table of values. */
    readonly fields: readonly DraftField[];
    readonly rowCount: number;
    readonly leastOf: (name: string) => number;
    readonly isPoint: (name: string) => boolean;
    /** Fields that only count the rows. */
    readonly rowNumbers: readonly string[];
  },
): Promise<Combined> {
  const none = { duplicates: undefined, reason: undefined, choices: undefined };
  if (key.repeatedCount === 0) return none;
  const measures = fields.flatMap((field, index) =>
    isMeasure(field, key) && !isPoint(field.name) && !rowNumbers.includes(field.name)
      ? [{ field, value: `v${index}`, kind: kindOf(field, leastOf(field.name)) }]
      : [],
  );
  // Equal rows with numbers or an id are copies; others can be events.
  const isEvent = measures.length === 0 && fields.some(({ document }) => document.type === 'date');
  if (key.conflictCount === 0 && !isEvent) return { ...none, duplicates: 'same' };
  const keys = key.fields.map((name) => ({
    name,
    value: `v${fields.findIndex((field) => field.name === name)}`,
  }));
  const areCounts = key.canAddUp && measures.every(({ kind }) => kind === 'count');
  if (areCounts && measures.length > 0 && (await areClockChanges(connection, fields, keys))) {
    return {
      ...none,
      duplicates: 'sum',
      reason:
        'Each is an hour that there are two of, because summer time ends, so their numbers are summed here.',
    };
  }
  const rules: readonly DuplicateRule[] =
    key.conflictCount === 0
      ? ['same']
      : key.canAddUp
        ? ['sum', 'first', 'last', 'min', 'max']
        : ['first', 'last'];
  return {
    ...none,
    choices: {
      example: await exampleOf(connection, keys),
      rules: await effectsOf(connection, {
        keys: keys.map(({ value }) => value),
        measures: measures.slice(0, SHOWN_MEASURES),
        rules,
        rowCount,
      }),
      means: namesOf(measures, 'mean'),
      unclear: namesOf(measures, 'unclear'),
    },
  };
}

type Measure = {
  readonly field: DraftField;
  readonly value: string;
  readonly kind: ReturnType<typeof measureKind>;
};

/** The measures whose totals are shown for each choice. */
const SHOWN_MEASURES = 2;

function namesOf(measures: readonly Measure[], wanted: Measure['kind']): readonly string[] {
  return measures.flatMap(({ field, kind }) => (kind === wanted ? [field.name] : []));
}

/** Whether a field has numbers that say something about its record, and do not identify it. */
export function isMeasure(
  { name, document, part, isCode, time }: DraftField,
  key: FoundKey,
): boolean {
  const isNumber = document.type === 'integer' || document.type === 'float';
  return (
    isNumber && part === undefined && !isCode && time === undefined && !key.fields.includes(name)
  );
}

function kindOf({ name, document }: DraftField, least: number) {
  return measureKind({ name, type: document.type, format: document.format, least });
}

/** Whether all repeated rows are two of one of the first hours of a Sunday in autumn. */
async function areClockChanges(
  connection: ImportConnection,
  fields: readonly DraftField[],
  keys: readonly { readonly name: string; readonly value: string }[],
): Promise<boolean> {
  const of = (wanted: (field: DraftField) => boolean) =>
    keys.find(({ name }) => fields.some((field) => field.name === name && wanted(field)))?.value;
  const hour = of(({ time }) => time?.unit === 'hour' && time.zone === undefined);
  const day = of(({ document }) => document.type === 'date');
  if (hour === undefined || day === undefined) return false;
  const [row] = await connection.list(
    `SELECT bool_and(rows = 2 AND ${hour} <= 3 AND isodow(${day}) = 7
        AND month(${day}) IN (3, 4, 9, 10, 11))::VARCHAR AS all_same
      FROM (SELECT ${hour}, ${day}, count(*) AS rows FROM ${TYPED_ROWS}
        GROUP BY ${keys.map(({ value }) => value).join(', ')} HAVING count(*) > 1)`,
  );
  return row?.['all_same'] === 'true';
}

async function exampleOf(
  connection: ImportConnection,
  keys: readonly { readonly name: string; readonly value: string }[],
): Promise<string> {
  const values = keys.map(({ value }) => value).join(', ');
  const shown = keys.map(({ value }, index) => `${value}::VARCHAR AS shown_${index}`);
  const [row] = await connection.list(
    `SELECT ${shown.join(', ')}, count(*)::DOUBLE AS rows FROM ${TYPED_ROWS}
      GROUP BY ${values} ORDER BY count(*) DESC, ${values} LIMIT 1`,
  );
  if (row === undefined) return '';
  const parts = keys.map(({ name }, index) => `${name} ${row[`shown_${index}`] ?? '(absent)'}`);
  return `${parts.join(', ')} has ${numberOf(row, 'rows').toLocaleString('en-US')} rows`;
}

/** The records and the totals after each rule, as a publish would make them. */
async function effectsOf(
  connection: ImportConnection,
  {
    keys,
    measures,
    rules,
    rowCount,
  }: {
    readonly keys: readonly string[];
    readonly measures: readonly Measure[];
    readonly rules: readonly DuplicateRule[];
    readonly rowCount: number;
  },
): Promise<readonly RuleEffect[]> {
  const combined = measures.flatMap(({ value }, index) =>
    rules.map((rule) => `${RULE_SQL[rule](value)} AS ${rule}_${index}`),
  );
  const totals = measures.flatMap((_, index) => [
    ...rules.map((rule) => `sum(${rule}_${index})::VARCHAR AS ${rule}_${index}`),
    `sum(whole_${index})::VARCHAR AS whole_${index}`,
  ]);
  const whole = measures.map(({ value }, index) => `sum(${value}) AS whole_${index}`);
  const [row] = await connection.list(
    `SELECT ${['count(*)::VARCHAR AS records', ...totals].join(', ')} FROM (
      SELECT ${[...combined, ...whole, '1'].join(', ')} FROM ${TYPED_ROWS}
      GROUP BY ${keys.join(', ')})`,
  );
  if (row === undefined) return [];
  const number = (name: string) => Number(row[name] ?? 0);
  const records = Number(textOf(row, 'records'));
  return rules.map((rule) => ({
    rule,
    records,
    leftOut: rule === 'sum' ? 0 : rowCount - records,
    totals: measures.map(({ field }, index) => ({
      field: field.name,
      total: number(`${rule}_${index}`),
      ofFile: number(`whole_${index}`),
    })),
  }));
}

const RULE_SQL: Readonly<Record<DuplicateRule, (value: string) => string>> = {
  first: (value) => `first(${value} ORDER BY rowid)`,
  last: (value) => `last(${value} ORDER BY rowid)`,
  same: (value) => `first(${value} ORDER BY rowid)`,
  sum: (value) => `sum(${value})`,
  min: (value) => `min(${value})`,
  max: (value) => `max(${value})`,
};
