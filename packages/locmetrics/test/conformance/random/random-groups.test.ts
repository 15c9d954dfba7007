// @module-tag sized

import { strict as assert } from 'node:assert';
import { type Dataset, findField } from '@locmetrics/core/domain/dataset';
import { bucketOf } from '@locmetrics/core/domain/date-bucket';
import type { FilterClause } from '@locmetrics/core/domain/filter';
import type { Value } from '@locmetrics/core/domain/value';
import { expectAt } from '@locmetrics/core/errors/expect-at';
import type { FieldSelection, GroupSelection } from '@locmetrics/core/requests/catalog-request';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { atLeast, atMost, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import type { EngineUnderTest } from '../engines/engine-under-test.ts';
import { ENGINES_AT_ONCE } from '../engines/engines.ts';
import { memoryEngine } from '../engines/memory-engine.ts';
import { aggregated, comparePlainly } from '../engines/plain-fold.ts';
import {
  openService,
  type RecordsQuestion,
  type ServiceUnderTest,
} from '../engines/service-under-test.ts';
import { refusalOf } from '../refusal.ts';
import type { Table } from '../table.ts';
import { tableWithoutHidden } from '../without-hidden.ts';
import {
  anybody,
  callerWith,
  randomTableGrant,
  suppress,
  withSuppression,
} from './random-grant.ts';
import { randomGroups } from './random-question.ts';
import { randomTable } from './random-table.ts';

/**
 * Groups of records must be what a caller computes from the records that the caller may list. The records come from data
 * without the hidden parts, and the groups are computed from them in the plainest way: this shares no code with the service
 * but the buckets of days.
 */

/** The number of states of the data. Each gets 20 requests. */
const STATES = testCount('TABLES', { few: 2, all: 30 });
const QUESTIONS = 20;
const TIMEOUT_MS = 1_800_000 + STATES * 5_000 * ENGINES_AT_ONCE.length;

test(
  'groups of every engine are those of the records that the caller may list, for random rights',
  async () => {
    const seed = announceSeed('random groups');
    const seen = { groups: 0, refusals: 0, questions: 0, hidden: 0 };
    const property = fc.asyncProperty(
      randomTable,
      randomTableGrant,
      fc.record({ count: suppress, score: suppress }),
      fc.array(randomGroups, { minLength: QUESTIONS, maxLength: QUESTIONS }),
      async (random, drawn, suppressed, every) => {
        const table = withSuppression(random, suppressed);
        const { key } = table.version.dataset;
        const fields = drawn.fields === undefined ? undefined : [...drawn.fields, ...key];
        const grant = { ...drawn, fields };
        const caller = callerWith([grant]);
        const left = tableWithoutHidden(table, grant);
        // Most requests name only what is visible, so that they are answered.
        const questions = every.map((asked, index) =>
          index % 4 === 0 ? asked : onlyVisible(asked, left.version.dataset),
        );
        await using reference = await openDisposable(memoryEngine, left);
        const expected: Answer[] = [];
        for (const asked of questions) {
          expected.push(await answerMeant(reference, { ...asked, caller: anybody(grant) }));
        }
        for (const engine of ENGINES_AT_ONCE) {
          await using service = await openDisposable(engine, table);
          for (const [index, asked] of questions.entries()) {
            const given = await answerOf(service, { ...asked, caller });
            expect(given, `${engine.name} ${JSON.stringify(asked)}`).toStrictEqual(
              expectAt(expected, index),
            );
            seen.groups += given.rows.length;
            seen.refusals += given.refusal === undefined ? 0 : 1;
            seen.questions += 1;
          }
        }
        seen.hidden += table.rows.length - left.rows.length;
      },
    );
    await assertRandom(property, {
      seed,
      numRuns: STATES,
      timeoutMs: TIMEOUT_MS,
      isEnough: () => seen.hidden > 0,
    });
    expect(seen.groups).toBeGreaterThan(atLeast(seen.questions * 0.5));
    expect(seen.hidden).toBeGreaterThan(atLeast(0));
    expect(seen.refusals).toBeLessThan(atMost(seen.questions * 0.5));
  },
  TIMEOUT_MS,
);

function onlyVisible(
  {
    groupBy = [],
    fields = [],
    groupFilters = [],
    filters = [],
    orderBy,
    thenBy = [],
    box,
    polygon,
    circle,
    ...asked
  }: RecordsQuestion,
  dataset: Dataset,
): RecordsQuestion {
  const isSeen = (name: string): boolean => findField(dataset, name) !== undefined;
  const grouped = groupBy.filter(({ fieldName }) => isSeen(fieldName));
  const selected = fields.filter((field) => isSeen(typeof field === 'string' ? field : field.name));
  const names = new Set([
    ...selected.map((field) => (typeof field === 'string' ? field : field.alias)),
    'record_count',
  ]);
  const { filterLogic, ...unfiltered } = asked;
  return {
    ...(filters.every(({ fieldName }) => isSeen(fieldName)) ? { ...asked, filters } : unfiltered),
    groupBy: grouped,
    fields: selected,
    groupFilters: groupFilters.filter(({ fieldName }) => names.has(fieldName)),
    ...(orderBy !== undefined && names.has(orderBy.fieldName)
      ? { orderBy, thenBy: thenBy.filter(({ fieldName }) => names.has(fieldName)) }
      : {}),
    ...(box === undefined || dataset.point === undefined ? {} : { box }),
    ...(polygon === undefined || dataset.point === undefined ? {} : { polygon }),
    ...(circle === undefined || dataset.point === undefined ? {} : { circle }),
  };
}

type Answer = {
  readonly names: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly totals: readonly number[];
  readonly refusal: string | undefined;
};

/** All pages, or the refusal. */
async function answerOf(service: ServiceUnderTest, asked: RecordsQuestion): Promise<Answer> {
  const reading = service.recordPages(asked);
  try {
    const pages = await reading;
    return {
      names: expectAt(pages, 0).fields.map(({ name }) => name),
      rows: pages.flatMap(({ rows }) => rows),
      totals: [...new Set(pages.map(({ totalSize }) => totalSize))],
      refusal: undefined,
    };
  } catch {
    return { names: [], rows: [], totals: [], refusal: await refusalOf(reading) };
  }
}

/** The groups of the records that a service lists. Only its refusals are those of the same request. */
async function answerMeant(reference: ServiceUnderTest, asked: RecordsQuestion): Promise<Answer> {
  const answer = await answerOf(reference, asked);
  if (answer.refusal !== undefined) return answer;
  const {
    groupBy = [],
    fields = [],
    groupFilters = [],
    orderBy,
    thenBy = [],
    pageSize,
    countOnly,
    ...rest
  } = asked;
  const pages = await reference.recordPages({
    ...rest,
    recordCount: false,
    pageSize: 1000,
    fields: namesIn(asked),
  });
  const records = pages.flatMap(({ fields: known, rows }) =>
    rows.map(
      (row): Row => Object.fromEntries(known.map(({ name }, index) => [name, row[index] ?? null])),
    ),
  );
  const aggregates = fields.filter((field) => typeof field !== 'string');
  const names = [
    ...groupBy.map(({ fieldName }) => fieldName),
    ...aggregates.map(({ alias = '' }) => alias),
    'record_count',
  ];
  const at = (name: string): number => names.indexOf(name);
  const found = fold(records, groupBy, aggregates)
    .filter((row) =>
      groupFilters.every((filter) => isMet(filter, row[at(filter.fieldName)] ?? null)),
    )
    .toSorted((left, right) => {
      const terms = groupBy.map((_, index) => ({ index, descending: false }));
      const keys = [...(orderBy === undefined ? [] : [orderBy]), ...thenBy].map(
        ({ fieldName, descending }) => ({ index: at(fieldName), descending }),
      );
      for (const { index, descending } of [...keys, ...terms]) {
        const order = compareTerms(left[index] ?? null, right[index] ?? null, descending);
        if (order !== 0) return order;
      }
      return 0;
    });
  return {
    names,
    rows: countOnly === true ? [] : found,
    totals: [found.length],
    refusal: undefined,
  };
}

type Row = Readonly<Record<string, Value>>;

/** The fields that a request groups by or aggregates. Without any, the key alone. */
function namesIn({ groupBy = [], fields = [] }: RecordsQuestion): readonly string[] {
  return [
    ...new Set([
      ...groupBy.map(({ fieldName }) => fieldName),
      ...fields.map((field) => (typeof field === 'string' ? field : field.name)),
    ]),
  ];
}

function fold(
  records: readonly Row[],
  groupBy: readonly GroupSelection[],
  aggregates: readonly FieldSelection[],
): readonly (readonly Value[])[] {
  const valuesOf = (record: Row): readonly Value[] =>
    groupBy.map(({ fieldName, bucket }) => {
      const value = record[fieldName] ?? null;
      return bucket === undefined || typeof value !== 'string' ? value : bucketOf(value, bucket);
    });
  const groups = Map.groupBy(records, (record) =>
    JSON.stringify(valuesOf(record).map((value) => (value === null ? null : String(value)))),
  );
  // Without groupBy there is one group, even of no records.
  if (groupBy.length === 0) groups.set('[]', [...records]);
  return [...groups.values()].map((members) => [
    ...(groupBy.length === 0 ? [] : valuesOf(expectAt(members, 0))),
    ...aggregates.map(({ name, aggregation, quantile }) => {
      assert(aggregation, 'Each field is grouped by or aggregated.');
      const all = members.map((record) => record[name] ?? null);
      return aggregated({ aggregation, quantile }, all);
    }),
    BigInt(members.length),
  ]);
}

function isMet({ operator, value }: FilterClause, given: Value): boolean {
  switch (operator) {
    case 'is_empty':
      return given === null;
    case 'is_not_empty':
      return given !== null;
    case '>':
      return given !== null && BigInt(String(given)) > BigInt(String(value));
    case '<=':
      return given !== null && BigInt(String(given)) <= BigInt(String(value));
    default:
      assert.fail(`No group is filtered by ${operator}.`);
  }
}

/** Absent values are last in both directions. */
function compareTerms(left: Value, right: Value, descending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return comparePlainly(left, right) * (descending ? -1 : 1);
}

async function openDisposable(engine: EngineUnderTest, table: Table) {
  const service = await openService(engine, [table]);
  return { ...service, [Symbol.asyncDispose]: service.close };
}
