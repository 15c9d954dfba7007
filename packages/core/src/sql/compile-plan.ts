import type { Field } from '../domain/field.ts';
import type { Day, Predicate } from '../domain/predicate.ts';
import type { Value } from '../domain/value.ts';
import type {
  BatchPlan,
  CountPlan,
  DistinctPlan,
  DistinctPosition,
  ExtentPlan,
  OrderTerm,
  RecordsPlan,
} from '../plan/read-plan.ts';
import { CHORD_COLUMN, compileNear, type NearTerm } from './compile-chord.ts';
import { compileRank, compileValueRank } from './compile-named-values.ts';
import { compilePredicates, compileTable, whereClause } from './compile-predicates.ts';
import { openParameterList, type ParameterList } from './parameter-list.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { SqlDialect, SqlStatement } from './sql-dialect.ts';

/**
 * A page of records: the fields of the plan, then the values of its order terms, then the ordinal. One
 * row more than the limit shows that more follow.
 */
export function compileRecords(plan: RecordsPlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const columns = [
    ...plan.fields.map((field) => selectField(field, dialect)),
    ...plan.order.map((term) =>
      term.kind === 'field' ? selectField(term.field, dialect) : compileNumber(term, list),
    ),
    dialect.rowColumn,
  ];
  const conditions = [
    ...compilePredicates(plan.predicates, plan.version, list),
    ...compileAfter(plan, list),
  ];
  // Generated names start with an underscore, unlike field names. An alias equal to a field name
  // would make ORDER BY sort the selected text instead of the stored value.
  const selected = columns.map((expression, index) => `${expression} AS _${index}`).join(', ');
  const orderBy = [
    ...plan.order.map((term, index) => orderTerm(term, `_${plan.fields.length + index}`)),
    `${dialect.rowColumn} ${plan.keyDescending ? 'DESC' : 'ASC'}`,
  ].join(', ');
  return {
    text: `SELECT ${selected} FROM ${compileTable(plan.version, list)} AS _record${whereClause(conditions)} ORDER BY ${orderBy} LIMIT ${plan.limit + 1}`,
    parameters: list.parameters,
  };
}

/** All records of a plan, with the names of its fields and the values as they are stored; with `near`, `CHORD_COLUMN` too. */
export function compileTableRecords(
  plan: RecordsPlan,
  dialect: SqlDialect,
  near?: NearTerm,
): SqlStatement {
  const { version, fields, predicates, order, keyDescending } = plan;
  const list = openParameterList(dialect);
  const columns = fields.map(({ name }) => quoteIdentifier(name));
  if (near !== undefined) columns.push(`${compileNear(near, list)} AS ${CHORD_COLUMN}`);
  const selected = columns.join(', ');
  const conditions = compilePredicates(predicates, version, list);
  const source = `FROM ${compileTable(version, list)} AS _record${whereClause(conditions)}`;
  const isStoredOrder =
    order.length === 0 && !keyDescending && [...predicates, ...hiddenBy(version)].every(isOfRecord);
  const terms = order.map((term) =>
    orderTerm(term, term.kind === 'field' ? '' : compileNumber(term, list)),
  );
  const orderBy = [...terms, `${dialect.rowColumn} ${keyDescending ? 'DESC' : 'ASC'}`].join(', ');
  return {
    text: `SELECT ${selected} ${source}${isStoredOrder ? '' : ` ORDER BY ${orderBy}`}`,
    parameters: list.parameters,
  };
}

/**
 * The records of a plan in its order, up to its limit, with the names of their fields, each of them once, and with
 * `CHORD_COLUMN` if they are ordered by distance. The limit is `Number.POSITIVE_INFINITY` for all.
 */
export function compileSortedRecords(plan: RecordsPlan, dialect: SqlDialect): SqlStatement {
  const { fields, limit } = plan;
  const named = new Map(fields.map((field) => [field.name, field]));
  const { text, parameters } = compileTableRecords(
    { ...plan, fields: [...named.values()] },
    dialect,
    plan.order.find((term) => term.kind === 'near'),
  );
  return { text: Number.isFinite(limit) ? `${text} LIMIT ${limit}` : text, parameters };
}

function hiddenBy({ narrowing }: RecordsPlan['version']): readonly Predicate[] {
  return narrowing?.predicates ?? [];
}

/** Whether a predicate is compared with each record as it is read. The others are joins, which may change the order. */
function isOfRecord(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'compare':
    case 'match':
    case 'empty':
    case 'box':
    case 'circle':
    case 'existed':
    case 'never':
      return true;
    case 'any':
      return predicate.alternatives.flat().every(isOfRecord);
    case 'not':
      return predicate.predicates.every(isOfRecord);
    case 'in':
    case 'polygon':
    case 'feature':
      return false;
  }
}

/** The number of a term that is not a field; `number` in `orderTerm` is this expression, or a column with it. */
function compileNumber(
  term: Exclude<OrderTerm, { readonly kind: 'field' }>,
  list: ParameterList,
): string {
  return term.kind === 'rank' ? compileRank(term.rank, list) : compileNear(term, list);
}

function orderTerm(term: OrderTerm, number: string): string {
  if (term.kind === 'rank') return number;
  if (term.kind === 'near') return `${number} ASC NULLS LAST`;
  const direction = term.descending ? 'DESC' : 'ASC';
  return `${quoteIdentifier(term.field.name)} ${direction} NULLS ${term.absentFirst ? 'FIRST' : 'LAST'}`;
}

/** Records after the position: greater by one term, and equal by the terms before it. */
function compileAfter(plan: RecordsPlan, list: ParameterList): readonly string[] {
  const { order, after, keyDescending } = plan;
  if (after === undefined) return withoutFilters(plan, list);
  const laterRow = `${list.dialect.rowColumn} ${keyDescending ? '<' : '>'} ${list.bind('integer', BigInt(after.row))}`;
  const terms = order.map((term, index) =>
    compileStep(term, after.orderValues[index] ?? null, list),
  );
  const [first] = terms;
  if (first === undefined) return [laterRow, ...withoutFilters(plan, list)];
  const further = terms.map(({ isFurther }, index) => [
    ...terms.slice(0, index).map(({ isSame }) => isSame),
    isFurther,
  ]);
  const ways = [...further, [...terms.map(({ isSame }) => isSame), laterRow]];
  // The bound on the first term adds no condition, but zone maps prune by it.
  return [first.bound, `(${ways.map((way) => `(${way.join(' AND ')})`).join(' OR ')})`];
}

/** The conditions that compare a record with the position by one term. */
type OrderStep = {
  readonly isFurther: string;
  readonly isSame: string;
  /** After the position or equal. */
  readonly bound: string;
};

function compileStep(term: OrderTerm, after: Value, list: ParameterList): OrderStep {
  if (term.kind === 'rank') {
    const rank = compileRank(term.rank, list);
    const value = list.bind('float', after ?? 0);
    return {
      isFurther: `${rank} > ${value}`,
      isSame: `${rank} = ${value}`,
      bound: `${rank} >= ${value}`,
    };
  }
  const { column, type, descending, absentFirst } =
    term.kind === 'near'
      ? { column: compileNear(term, list), type: 'float' as const, ...NEAREST_FIRST }
      : { ...term, column: quoteIdentifier(term.field.name), type: term.field.type };
  const isAbsent = `${column} IS NULL`;
  if (after === null) {
    return absentFirst
      ? { isFurther: `${column} IS NOT NULL`, isSame: isAbsent, bound: '1 = 1' }
      : { isFurther: '1 = 0', isSame: isAbsent, bound: isAbsent };
  }
  const value = list.bind(type, after);
  const beyond = descending ? '<' : '>';
  const orAbsent = (condition: string) =>
    absentFirst ? condition : `(${condition} OR ${isAbsent})`;
  return {
    isFurther: orAbsent(`${column} ${beyond} ${value}`),
    isSame: `${column} = ${value}`,
    bound: orAbsent(`${column} ${beyond}= ${value}`),
  };
}

const NEAREST_FIRST = { descending: false, absentFirst: false } as const;

/** Without filters the ordinals of a page in key order are known, so a scan can skip all others. */
function withoutFilters(plan: RecordsPlan, list: ParameterList): readonly string[] {
  const { predicates, order, after, keyDescending, limit, version } = plan;
  if (predicates.length > 0 || order.length > 0) return [];
  // If only some records are visible, their ordinals have gaps.
  if (version.rowCount === undefined) return [];
  const last = keyDescending
    ? (after?.row ?? version.rowCount) - limit - 1
    : (after?.row ?? -1) + limit + 1;
  return [
    `${list.dialect.rowColumn} ${keyDescending ? '>=' : '<='} ${list.bind('integer', BigInt(last))}`,
  ];
}

/** The fields of the records of a batch. */
export function compileBatch(plan: BatchPlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const { selectColumn } = dialect;
  const selected = plan.fields.map((field, index) => {
    const value = selectColumn?.(quoteIdentifier(field.name)) ?? selectField(field, dialect);
    return `${value} AS _${index}`;
  });
  return {
    text: `SELECT ${selected.join(', ')} ${compileBatchSource(plan, list)} ORDER BY ${dialect.rowColumn}`,
    parameters: list.parameters,
  };
}

/** Lines are joined in groups of so many ordinals: a database has a limit for a text, and works on groups in parallel. */
const ORDINALS_JOINED = 2048;

/** The number of records and the bytes of their lines, in rows; undefined if the database does not write the format. */
export function compileBatchLines(plan: BatchPlan, dialect: SqlDialect): SqlStatement | undefined {
  const { lines, rowColumn } = dialect;
  if (lines === undefined || plan.lines === undefined) return undefined;
  const list = openParameterList(dialect);
  const line = lines.line(
    plan.lines,
    plan.fields.map(({ name, type }) => ({ name, type, expression: quoteIdentifier(name) })),
  );
  const group = dialect.wholeQuotient(rowColumn, ORDINALS_JOINED);
  return {
    text: `SELECT count(*), ${lines.join(line, rowColumn)} ${compileBatchSource(plan, list)} GROUP BY ${group} ORDER BY ${group}`,
    parameters: list.parameters,
  };
}

/**
 * The bytes of the texts of a batch, of which a field has texts: in all, or by groups of `ordinals`, in their order, after
 * the quotient of the ordinals.
 */
export function compileBatchBytes(
  plan: BatchPlan,
  ordinals: number | undefined,
  dialect: SqlDialect,
): SqlStatement {
  const texts = plan.fields.filter(({ type }) => type === 'string');
  const list = openParameterList(dialect);
  const bytes = texts.map(({ name }) => `coalesce(${dialect.textBytes(quoteIdentifier(name))}, 0)`);
  const sum = dialect.sum(bytes.join(' + '));
  const source = compileBatchSource(plan, list);
  const { parameters } = list;
  if (ordinals === undefined) return { text: `SELECT ${sum} ${source}`, parameters };
  const group = dialect.wholeQuotient(dialect.rowColumn, ordinals);
  const text = `SELECT ${group}, ${sum} ${source} GROUP BY ${group} ORDER BY ${group}`;
  return { text, parameters };
}

function compileBatchSource(
  { version, predicates, from, end }: BatchPlan,
  list: ParameterList,
): string {
  const { rowColumn } = list.dialect;
  const rows = [
    `${rowColumn} >= ${list.bind('integer', BigInt(from))}`,
    `${rowColumn} < ${list.bind('integer', BigInt(end))}`,
  ];
  const conditions = [...compilePredicates(predicates, version, list, rows), ...rows];
  return `FROM ${compileTable(version, list)} AS _record${whereClause(conditions)}`;
}

export function compileCount(plan: CountPlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const conditions = [...compilePredicates(plan.predicates, plan.version, list)];
  if (plan.distinct !== undefined) conditions.push(...distinctConditions(plan.distinct, list));
  const counted =
    plan.distinct === undefined ? '*' : `DISTINCT ${quoteIdentifier(plan.distinct.field.name)}`;
  return {
    text: `SELECT count(${counted}) FROM ${compileTable(plan.version, list)} AS _record${whereClause(conditions)}`,
    parameters: list.parameters,
  };
}

/** The first day, the last day and the count. */
export function compileExtent(plan: ExtentPlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const day = (of: Day, aggregate: 'min' | 'max') => {
    const found =
      typeof of === 'string' ? list.bind('date', of) : `${aggregate}(${quoteIdentifier(of.name)})`;
    // In ClickHouse the least of no values can be 0.
    return `CASE WHEN count(*) > 0 THEN ${dialect.selectValue('date', found)} END`;
  };
  const columns = [day(plan.start, 'min'), day(plan.end, 'max'), 'count(*)'];
  const conditions = compilePredicates(plan.predicates, plan.version, list);
  return {
    text: `SELECT ${columns.join(', ')} FROM ${compileTable(plan.version, list)} AS _record${whereClause(conditions)}`,
    parameters: list.parameters,
  };
}

/** A page of distinct values: the value, and whether it starts with the term. */
export function compileDistinct(plan: DistinctPlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const column = quoteIdentifier(plan.field.name);
  const rank = plan.term === undefined ? '0' : compileValueRank(plan.field, plan.term, list);
  const conditions = [
    ...compilePredicates(plan.predicates, plan.version, list),
    ...distinctConditions(plan, list),
  ];
  const distinct = `SELECT DISTINCT ${column} AS _stored, ${selectField(plan.field, dialect)} AS _value, ${rank} AS _place FROM ${compileTable(plan.version, list)} AS _record${whereClause(conditions)}`;
  const after = plan.after === undefined ? [] : [compileAfterValue(plan, plan.after, list)];
  const direction = plan.descending ? 'DESC' : 'ASC';
  return {
    text: `SELECT _value, _place FROM (${distinct}) AS found${whereClause(after)} ORDER BY _place, _stored ${direction} LIMIT ${plan.limit + 1}`,
    parameters: list.parameters,
  };
}

function distinctConditions(
  { field, term }: Pick<DistinctPlan, 'field' | 'term'>,
  list: ParameterList,
): readonly string[] {
  const present = `${quoteIdentifier(field.name)} IS NOT NULL`;
  if (term === undefined) return [present];
  const contains = list.dialect.textMatch(
    'contains',
    list.dialect.searchedText(field, term.rule),
    list.bind('string', term.folded),
    term.folded,
  );
  return [present, contains];
}

function compileAfterValue(
  plan: DistinctPlan,
  after: DistinctPosition,
  list: ParameterList,
): string {
  const further = plan.descending ? '<' : '>';
  const value = list.bind(plan.field.type, after.value);
  const rank = list.bind('float', after.rank);
  return `(_place > ${rank} OR (_place = ${rank} AND _stored ${further} ${value}))`;
}

function selectField({ name, type }: Field, dialect: SqlDialect): string {
  return dialect.selectValue(type, quoteIdentifier(name));
}
