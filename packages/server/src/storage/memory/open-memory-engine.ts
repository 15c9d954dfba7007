import type { DatasetVersion } from '../../domain/dataset.ts';
import type { Field } from '../../domain/field.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { foldText } from '../../domain/text-fold.ts';
import { compareValues, type PresentValue, type Value, valueText } from '../../domain/value.ts';
import type {
  CountPlan,
  DistinctPlan,
  DistinctPosition,
  Predicate,
  RecordPosition,
  RecordsPlan,
} from '../../plan/read-plan.ts';
import type { DistinctPage, Engine, RecordsPage } from '../engine.ts';
import { matches } from './match-predicate.ts';

/** A record by field name. */
export type MemoryRecord = Readonly<Record<string, Value>>;

/**
 * The plain reference: it interprets a plan over arrays and does each step in the most obvious way,
 * without regard for speed. `records` gives the records of a version in any order.
 */
export function openMemoryEngine(
  records: (version: DatasetVersion) => readonly MemoryRecord[] | undefined,
): Engine {
  const inKeyOrder = (version: DatasetVersion): readonly NumberedRecord[] => {
    const found = records(version);
    if (found === undefined) {
      throw new ServiceError('VERSION_NOT_FOUND', `The version ${version.version} is not kept.`);
    }
    return [...found]
      .sort((left, right) => compareByKey(left, right, version.dataset.key))
      .map((record, row) => ({ record, row }));
  };
  const select = (version: DatasetVersion, predicates: readonly Predicate[]) =>
    inKeyOrder(version).filter(({ record }) =>
      predicates.every((predicate) => matches(record, predicate)),
    );
  return {
    readRecords: async (plan) => readRecords(plan, select(plan.version, plan.predicates)),
    count: async (plan) => count(plan, select(plan.version, plan.predicates)),
    readDistinct: async (plan) => readDistinct(plan, select(plan.version, plan.predicates)),
    close: async () => {},
  };
}

type NumberedRecord = { readonly record: MemoryRecord; readonly row: number };

function readRecords(plan: RecordsPlan, selected: readonly NumberedRecord[]): RecordsPage {
  const positioned = selected.map(({ record, row }) => ({
    record,
    position: { row, orderValue: plan.order ? valueIn(record, plan.order.field) : null },
  }));
  const byPosition = (left: RecordPosition, right: RecordPosition) =>
    compareOrderValues(left.orderValue, right.orderValue, plan.order?.descending ?? false) ||
    left.row - right.row;
  const { after } = plan;
  const following = positioned
    .sort((left, right) => byPosition(left.position, right.position))
    .filter(({ position }) => after === undefined || byPosition(position, after) > 0);
  const page = following.slice(0, plan.limit);
  const last = page.at(-1);
  return {
    rows: page.map(({ record }) => plan.fields.map((field) => valueIn(record, field))),
    ...(following.length > page.length && last !== undefined ? { next: last.position } : {}),
  };
}

function count(plan: CountPlan, selected: readonly NumberedRecord[]): number {
  return plan.distinct === undefined
    ? selected.length
    : distinctPositions(plan.distinct.field, plan.distinct.term, selected).length;
}

function readDistinct(plan: DistinctPlan, selected: readonly NumberedRecord[]): DistinctPage {
  const byPosition = (left: DistinctPosition, right: DistinctPosition) =>
    Number(right.startsWithTerm) - Number(left.startsWithTerm) ||
    compareValues(left.value, right.value) * (plan.descending ? -1 : 1);
  const { after } = plan;
  const following = [...distinctPositions(plan.field, plan.term, selected)]
    .sort(byPosition)
    .filter((position) => after === undefined || byPosition(position, after) > 0);
  const page = following.slice(0, plan.limit);
  const last = page.at(-1);
  return {
    values: page.map(({ value }) => value),
    ...(following.length > page.length && last !== undefined ? { next: last } : {}),
  };
}

function distinctPositions(
  field: Field,
  term: string | undefined,
  selected: readonly NumberedRecord[],
): readonly DistinctPosition[] {
  const values = new Set<PresentValue>();
  for (const { record } of selected) {
    const value = valueIn(record, field);
    if (value !== null) values.add(value);
  }
  return [...values]
    .filter((value) => foldText(valueText(value)).includes(term ?? ''))
    .map((value) => ({ value, startsWithTerm: foldText(valueText(value)).startsWith(term ?? '') }));
}

function compareOrderValues(left: Value, right: Value, descending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return compareValues(left, right) * (descending ? -1 : 1);
}

function compareByKey(left: MemoryRecord, right: MemoryRecord, key: readonly string[]): number {
  for (const name of key) {
    const order = compareOrderValues(left[name] ?? null, right[name] ?? null, false);
    if (order !== 0) return order;
  }
  return 0;
}

function valueIn(record: MemoryRecord, field: Field): Value {
  return record[field.name] ?? null;
}
