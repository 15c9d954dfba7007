import type { Field } from '../domain/field.ts';
import type {
  CompareOperator,
  Day,
  ExistenceOverlap,
  Predicate,
  ReadableVersion,
} from '../domain/predicate.ts';
import { hasMark, markOf } from '../domain/withheld-mark.ts';
import { crossesAntimeridian } from '../geometry/bounding-box.ts';
import { boxAround } from '../geometry/ring.ts';
import { compileChordSquared } from './compile-chord.ts';
import { compileRing } from './compile-ring.ts';
import type { ParameterList } from './parameter-list.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** `WHERE …` with all conditions, or nothing when there are none. */
export function whereClause(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/**
 * The visible records of a version with their visible values, for FROM. Every plan queries a version only
 * through this, so that no query can reveal hidden data.
 */
export function compileTable(version: ReadableVersion, list: ParameterList): string {
  const table = list.dialect.recordTable(version);
  if (version.narrowing === undefined) return table;
  const { suppressed, predicates } = version.narrowing;
  const shown = suppressed.map((field) => {
    const least = list.bind('float', field.suppressBelow ?? Number.POSITIVE_INFINITY);
    return `CASE WHEN ${column(field)} >= ${least} THEN ${column(field)} END AS ${column(field)}`;
  });
  const withShown =
    shown.length === 0 ? table : list.dialect.replaceColumns(addMarks(table, version, list), shown);
  if (predicates.length === 0) return withShown;
  const conditions = compilePredicates(predicates, version, list);
  return `(SELECT * FROM ${withShown} AS _record${whereClause(conditions)})`;
}

/** A table with a column for each mark: whether the value, which is replaced later, is withheld. */
function addMarks(table: string, { narrowing }: ReadableVersion, list: ParameterList): string {
  const marks = (narrowing?.suppressed ?? []).filter(hasMark).map((field) => {
    const least = list.bind('float', field.suppressBelow ?? Number.POSITIVE_INFINITY);
    // Of a comparison alone, ClickHouse makes a number.
    return `CASE WHEN ${column(field)} < ${least} THEN ${list.bind('boolean', true)} END AS ${column(markOf(field))}`;
  });
  return marks.length === 0 ? table : `(SELECT *, ${marks.join(', ')} FROM ${table})`;
}

/**
 * A condition for each predicate on the records of a version, which the query calls `_record`. An absent value makes a
 * condition NULL, so it does not match. `rows` are conditions on the row that the query has too: a polygon is compared
 * with these rows alone.
 */
export function compilePredicates(
  predicates: readonly Predicate[],
  version: ReadableVersion,
  list: ParameterList,
  rows: readonly string[] = [],
): readonly string[] {
  return predicates.map((predicate) =>
    predicate.kind === 'polygon'
      ? compilePolygon(predicate, version, { list, rows })
      : compilePredicate(predicate, version, list),
  );
}

function compilePredicate(
  predicate: Predicate,
  version: ReadableVersion,
  list: ParameterList,
): string {
  switch (predicate.kind) {
    case 'compare': {
      const { field, operator, value } = predicate;
      return `${column(field)} ${SQL_OPERATORS[operator]} ${list.bind(field.type, value)}`;
    }
    case 'in':
      return compileMembership(predicate, list);
    case 'match': {
      const { field, match, folded } = predicate;
      return list.dialect.textMatch(
        match,
        list.dialect.foldColumn(field),
        list.bind('string', folded),
        folded,
      );
    }
    case 'empty':
      return `${column(predicate.field)} IS ${predicate.negated ? 'NOT NULL' : 'NULL'}`;
    case 'box':
      return compileBox(predicate, list);
    case 'polygon':
      return compilePolygon(predicate, version, { list, rows: [] });
    case 'circle':
      return compileCircle(predicate, list);
    case 'existed':
      return compileOverlap(predicate.overlap, '_record', '_record', list);
    case 'feature':
      return compileFeature(predicate, version, list);
    case 'any': {
      const { alternatives } = predicate;
      if (alternatives.length === 0) return '1 = 0';
      const ways = alternatives.map((all) => compilePredicates(all, version, list));
      return `(${ways.map((all) => `(${['1 = 1', ...all].join(' AND ')})`).join(' OR ')})`;
    }
    case 'not': {
      const all = compilePredicates(predicate.predicates, version, list);
      // NULL where a value is absent.
      return `NOT coalesce(${['1 = 1', ...all].join(' AND ')}, 1 = 0)`;
    }
    case 'never':
      return '1 = 0';
  }
}

type PredicateOf<Kind extends Predicate['kind']> = Extract<Predicate, { readonly kind: Kind }>;

function compileBox(
  { latitude, longitude, box }: Omit<PredicateOf<'box'>, 'kind'>,
  list: ParameterList,
): string {
  const bind = (degree: number) => list.bind('float', degree);
  const west = `${column(longitude)} >= ${bind(box.minLng)}`;
  const east = `${column(longitude)} <= ${bind(box.maxLng)}`;
  const north = `${column(latitude)} BETWEEN ${bind(box.minLat)} AND ${bind(box.maxLat)}`;
  return crossesAntimeridian(box)
    ? `(${north} AND (${west} OR ${east}))`
    : `(${north} AND ${west} AND ${east})`;
}

/**
 * The record is among the rows in the ring: a join of the points in the box around it with the edges. In DuckDB 1.5 it
 * takes a fifth of the time of a lambda over the edges, whose list is copied for each 2,048 records.
 */
function compilePolygon(
  { latitude, longitude, ring }: PredicateOf<'polygon'>,
  version: ReadableVersion,
  { list, rows }: { readonly list: ParameterList; readonly rows: readonly string[] },
): string {
  const row = list.dialect.rowColumn;
  const table = compileTable(version, list);
  const box = compileBox({ latitude, longitude, box: boxAround(ring) }, list);
  const points = `SELECT ${row}, ${column(longitude)} AS _longitude, ${column(latitude)} AS _latitude FROM ${table} AS _record${whereClause([...rows, box])}`;
  return `${row} IN (${compileRing(ring, { row, points }, list)})`;
}

/**
 * The chord of a point to the centre is not too long. The vectors are those of all records, so the point itself must be
 * there: it can be withheld.
 */
function compileCircle(
  { latitude, longitude, center, chordSquaredMax }: PredicateOf<'circle'>,
  list: ParameterList,
): string {
  const isThere = [latitude, longitude].map((field) => `${column(field)} IS NOT NULL`);
  const isNear = `${compileChordSquared(center, list)} <= ${list.bind('float', chordSquaredMax)}`;
  return `(${[...isThere, isNear].join(' AND ')})`;
}

/** Up to this many values are written one by one, so that a scan can skip parts of the table. */
const SINGLE_VALUES_MAX = 50;

/** A long list is joined as a query: written one by one, 10,000 values took 20 s. */
function compileMembership(
  { field, negated, values, orAbsent = false }: Extract<Predicate, { readonly kind: 'in' }>,
  list: ParameterList,
): string {
  const members =
    values.length <= SINGLE_VALUES_MAX
      ? `(${values.map((value) => list.bind(field.type, value)).join(', ')})`
      : list.bindList(field.type, values);
  const isMember = negated
    ? `(${column(field)} IS NOT NULL AND ${column(field)} NOT IN ${members})`
    : `${column(field)} IN ${members}`;
  return orAbsent ? `(${isMember} OR ${column(field)} IS NULL)` : isMember;
}

/**
 * A record of another version. If only the id connects the two, the condition is a list of ids, which is
 * faster than a correlated subquery.
 */
function compileFeature(
  predicate: FeaturePredicate,
  version: ReadableVersion,
  list: ParameterList,
): string {
  const { field, features, overlap } = predicate;
  if (overlap !== undefined && list.dialect.uncorrelated !== undefined) {
    return compileFeaturePeriods(
      { ...predicate, overlap, ...list.dialect.uncorrelated },
      version,
      list,
    );
  }
  const inner = compilePredicates(features.predicates, features.version, list);
  const table = `${compileTable(features.version, list)} AS _feature`;
  const id = quoteIdentifier(features.id.name);
  if (overlap === undefined) {
    return `${column(field)} IN (SELECT ${id} FROM ${table}${whereClause(inner)})`;
  }
  const conditions = [
    ...inner,
    `_feature.${id} = _record.${column(field)}`,
    compileOverlap(overlap, '_record', '_feature', list),
  ];
  return `EXISTS (SELECT 1 FROM ${table}${whereClause(conditions)})`;
}

type FeaturePredicate = Extract<Predicate, { readonly kind: 'feature' }>;

/**
 * The same without a correlated subquery: the id and the period of the record are among the ids of the features with
 * each of the periods of all records, of which there are few, in which they existed.
 */
function compileFeaturePeriods(
  {
    field,
    features,
    overlap,
    dayOrNone,
  }: FeaturePredicate & { readonly overlap: ExistenceOverlap } & NonNullable<
      SqlDialect['uncorrelated']
    >,
  version: ReadableVersion,
  list: ParameterList,
): string {
  const days = [overlap.periodStart, overlap.periodEnd].filter((day) => typeof day !== 'string');
  const periodColumns = [...new Set(days.map(column))];
  const existence = [overlap.existenceStart, overlap.existenceEnd].filter(
    (day) => day !== undefined,
  );
  const featureColumns = [...new Set([features.id, ...existence].map(column))];
  const inner = compilePredicates(features.predicates, features.version, list);
  const featureTable = compileTable(features.version, list);
  const found = `(SELECT ${featureColumns.join(', ')} FROM ${featureTable} AS _record${whereClause(inner)}) AS _feature`;
  const overlaps = compileOverlap(overlap, '_period', '_feature', list);
  const id = `_feature.${column(features.id)}`;
  if (periodColumns.length === 0) {
    return `${column(field)} IN (SELECT ${id} FROM ${found} WHERE ${overlaps})`;
  }
  const dayOf = (table: string) => periodColumns.map((day) => dayOrNone(`${table}.${day}`));
  const periods = `(SELECT DISTINCT ${periodColumns.join(', ')} FROM ${list.dialect.recordTable(version)}) AS _period`;
  return `(${[column(field), ...dayOf('_record')].join(', ')}) IN (SELECT ${[id, ...dayOf('_period')].join(', ')} FROM ${found} CROSS JOIN ${periods} WHERE ${overlaps})`;
}

/** The period of one table overlaps the existence of the same or another table. */
function compileOverlap(
  { periodStart, periodEnd, existenceStart, existenceEnd }: ExistenceOverlap,
  periodTable: string,
  existenceTable: string,
  list: ParameterList,
): string {
  const period = (day: Day) =>
    typeof day === 'string' ? list.bind('date', day) : `${periodTable}.${column(day)}`;
  const existence = (field: Field) => `${existenceTable}.${column(field)}`;
  const conditions: string[] = [];
  if (existenceStart !== undefined) {
    conditions.push(notBefore(period(periodEnd), existence(existenceStart)));
  }
  if (existenceEnd !== undefined) {
    conditions.push(notBefore(existence(existenceEnd), period(periodStart)));
  }
  return conditions.length === 0 ? '1 = 1' : `(${conditions.join(' AND ')})`;
}

/** The later day is not before the earlier one, or one of them is absent. */
function notBefore(later: string, earlier: string): string {
  return `(${later} IS NULL OR ${earlier} IS NULL OR ${later} >= ${earlier})`;
}

const SQL_OPERATORS: Readonly<Record<CompareOperator, string>> = {
  '==': '=',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

function column(field: Field): string {
  return quoteIdentifier(field.name);
}
