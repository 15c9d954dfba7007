// @module-tag sized

import type { Caller } from '@locmetrics/core/domain/caller';
import type { Field } from '@locmetrics/core/domain/field';
import type { Grant } from '@locmetrics/core/domain/grant';
import { defaultSourceColumn } from '@locmetrics/core/domain/source-column';
import { getDataReference } from '@locmetrics/server/service/describe-datasets';
import { describeTiles } from '@locmetrics/server/service/tiles/describe-tiles';
import { pinTile } from '@locmetrics/server/service/tiles/read-tile';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { atLeast, atMost, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import {
  askTile,
  randomTileQuestion,
  type TileQuestion,
  toTileRequest,
} from '../areas/tile-question.ts';
import type { EngineUnderTest } from '../engines/engine-under-test.ts';
import { ENGINES_AT_ONCE } from '../engines/engines.ts';
import {
  openService,
  type RecordsQuestion,
  type ServiceUnderTest,
} from '../engines/service-under-test.ts';
import { toCall } from '../engines/test-call.ts';
import type { AggregatesQuestion } from '../metrics/ask-metrics.ts';
import { refusalOf } from '../refusal.ts';
import type { Table } from '../table.ts';
import { tableWithoutHidden, withheldFields, worldWithoutHidden } from '../without-hidden.ts';
import { randomAggregatesQuestion } from './random-aggregates-question.ts';
import {
  anybody,
  callerWith,
  earlierVersion,
  randomMetricGrant,
  randomTableGrant,
  suppress,
  toGrant,
  withSuppression,
} from './random-grant.ts';
import { type MetricsQuestion, randomMetricsQuestion } from './random-metric-question.ts';
import { type Question, randomQuestion } from './random-question.ts';
import { randomTable } from './random-table.ts';
import { randomWorld, tablesOf, type World } from './random-world.ts';

/**
 * A caller with restricted rights must get the answer of the same request on data without the hidden
 * parts.
 */

/** The number of states of the data. Each gets 30 questions. */
const STATES = testCount('TABLES', { few: 1, all: 16 });
const QUESTIONS = 30;
const TILES = 10;
/** One of so many questions is about the earlier version. */
const EARLIER = 3;
const TIMEOUT_MS = 1_800_000 + STATES * 5_000 * ENGINES_AT_ONCE.length;

type AskedOfMetrics =
  | MetricsQuestion
  | { readonly kind: 'aggregates'; readonly question: AggregatesQuestion };

const askedOfMetrics: fc.Arbitrary<AskedOfMetrics> = fc.oneof(
  { arbitrary: randomMetricsQuestion, weight: 3 },
  {
    arbitrary: randomAggregatesQuestion.map(
      (question) => ({ kind: 'aggregates', question }) as const,
    ),
    weight: 1,
  },
);

test(
  'records, groups, distinct values, tiles and extents of every engine reveal no hidden records, fields and small cells',
  async () => {
    const seed = announceSeed('random rights over datasets');
    const seen = { items: 0, hidden: 0, marks: 0, refusals: 0, questions: 0 };
    const property = fc.asyncProperty(
      randomTable,
      randomTableGrant,
      fc.record({ count: suppress, score: suppress }),
      fc.record({ count: suppress, score: suppress }),
      fc.array(randomQuestion, { minLength: QUESTIONS, maxLength: QUESTIONS }),
      fc.array(randomTileQuestion, { minLength: TILES, maxLength: TILES }),
      async (random, drawn, suppressed, suppressedBefore, questions, tiles) => {
        const table = withSourceColumns(withSuppression(random, suppressed));
        const { earlier, meant } = earlierVersion(table, suppressedBefore, suppressed);
        // A table needs its key. The documentation says what the order by a hidden key reveals.
        const { key } = table.version.dataset;
        const fields = drawn.fields === undefined ? undefined : [...drawn.fields, ...key];
        const grant = { ...drawn, fields };
        const left = withSourceColumns(tableWithoutHidden(table, grant));
        const leftBefore = withSourceColumns(tableWithoutHidden(meant, grant));
        const caller = callerWith([grant]);
        const other = anybody(grant);
        for (const engine of ENGINES_AT_ONCE) {
          await using narrowed = await openDisposable(engine, [earlier, table]);
          await using reduced = await openDisposable(engine, [leftBefore, left]);
          for (const [index, drawnQuestion] of questions.entries()) {
            const isEarlier = index % EARLIER === 0;
            const asked = isEarlier ? withAsOf(drawnQuestion, earlier) : drawnQuestion;
            const given = await recordsOf(narrowed, withCaller(asked, caller));
            const expected = await recordsOf(reduced, withCaller(asked, other));
            expect({ ...given, marks: [] }, engine.name).toStrictEqual(expected);
            const marks = await marksMeant(reduced, withCaller(asked, other), {
              table: isEarlier ? meant : table,
              grant,
            });
            expect(given.marks, engine.name).toStrictEqual(marks);
            seen.marks += marks.flat().length;
            seen.items += given.items.length;
            seen.refusals += given.refusals.length;
          }
          for (const tile of tiles) {
            const given = await tileOf(narrowed, { ...tile, caller });
            const expected = await tileOf(reduced, { ...tile, caller: other });
            expect(given, engine.name).toStrictEqual(expected);
            const described = await describedTilesOf(narrowed, { ...tile, caller });
            const meant = await describedTilesOf(reduced, { ...tile, caller: other });
            expect(described, engine.name).toStrictEqual(meant);
          }
          const described = await describe(narrowed, caller);
          expect(described, engine.name).toStrictEqual(await describe(reduced, other));
          seen.questions += questions.length;
        }
        seen.hidden += table.rows.length - left.rows.length;
      },
    );
    await assertRandom(property, {
      ...settings(seed),
      isEnough: () => seen.hidden > 0 && seen.marks > 0,
    });
    expect(seen.items).toBeGreaterThan(atLeast(seen.questions * 0.2));
    expect(seen.hidden).toBeGreaterThan(atLeast(0));
    expect(seen.marks).toBeGreaterThan(atLeast(0));
    expect(seen.refusals).toBeLessThan(atMost(seen.questions * 0.9));
  },
  TIMEOUT_MS,
);

test(
  'metric values, aggregates, features, components and dimensions of every engine reveal no hidden ones',
  async () => {
    const seed = announceSeed('random rights over metrics');
    const seen = { items: 0, hidden: 0, marks: 0, refusals: 0, questions: 0 };
    const property = fc.asyncProperty(
      randomWorld,
      randomMetricGrant,
      fc.record({ visits: suppress, share: suppress }),
      fc.record({ visits: suppress, share: suppress }),
      fc.record({ grade: suppress, ratio: suppress }),
      fc.array(askedOfMetrics, { minLength: QUESTIONS, maxLength: QUESTIONS }),
      async (random, drawn, suppressed, suppressedBefore, suppressedPlaces, questions) => {
        const world = {
          visits: withSuppression(random.visits, suppressed),
          places: withSuppression(random.places, suppressedPlaces),
          areas: withSuppression(random.areas, suppressedPlaces),
        };
        const { earlier, meant } = earlierVersion(random.visits, suppressedBefore, suppressed);
        // With its layers, the earlier version is a metric.
        const publishedInOrder = [earlier, world.places, world.areas, world.visits];
        const grant = toGrant(world, drawn);
        const left = worldWithoutHidden(world, grant, drawn.metricId);
        const leftBefore = worldWithoutHidden({ ...world, visits: meant }, grant, drawn.metricId);
        const caller = callerWith([grant]);
        const other = anybody(grant);
        for (const engine of ENGINES_AT_ONCE) {
          await using narrowed = await openDisposable(engine, publishedInOrder);
          await using reduced = await openDisposable(engine, tablesOf(left));
          await using reducedBefore = await openDisposable(engine, tablesOf(leftBefore));
          expect(narrowed.context().checkGrant(grant)).toEqual([grant.pattern]);
          for (const [index, drawnQuestion] of questions.entries()) {
            const isEarlier = index % EARLIER === 0 && hasVersions(drawnQuestion, drawn.metricId);
            const asked = isEarlier ? withAsOf(drawnQuestion, earlier) : drawnQuestion;
            const given = await metricsOf(narrowed, withCaller(asked, caller));
            // The grant alone decides this, and aggregates have no bestEffortQueryWhenNotAllowed.
            if (asked.kind === 'aggregates' && isNotAllowed(given)) continue;
            const without = isEarlier ? reducedBefore : reduced;
            const expected = await metricsOf(without, withCaller(asked, other));
            expect(given, engine.name).toStrictEqual(expected);
            seen.items += given.items.length;
            seen.marks += given.marks.flat().length;
            seen.refusals += given.refusals.length;
          }
          const { metricId } = drawn;
          const [mine, theirs] = await Promise.all([
            narrowed.getMetric({ metricId, caller }),
            reduced.getMetric({ metricId, caller: other }),
          ]);
          const { isWhole: _mine, ...extent } = mine.extent;
          const { isWhole: _theirs, ...expected } = theirs.extent;
          expect(extent, engine.name).toStrictEqual(expected);
          seen.questions += questions.length;
        }
        seen.hidden += rowCount(world) - rowCount(left);
      },
    );
    await assertRandom(property, {
      ...settings(seed),
      isEnough: () => seen.hidden > 0 && seen.marks > 0,
    });
    expect(seen.items).toBeGreaterThan(atLeast(seen.questions * 0.2));
    expect(seen.hidden).toBeGreaterThan(atLeast(0));
    expect(seen.marks).toBeGreaterThan(atLeast(0));
    expect(seen.refusals).toBeLessThan(atMost(seen.questions * 0.9));
  },
  TIMEOUT_MS,
);

/** The names that a publish derives from the roles of the fields. */
function withSourceColumns(table: Table): Table {
  const { dataset } = table.version;
  const fields = dataset.fields.map((field) => ({
    ...field,
    sourceColumn: defaultSourceColumn(field, dataset),
  }));
  return { ...table, version: { ...table.version, dataset: { ...dataset, fields } } };
}

function withCaller<Asked extends Question | AskedOfMetrics>(asked: Asked, caller: Caller): Asked {
  return { ...asked, question: { ...asked.question, caller } };
}

function withAsOf<Asked extends Question | AskedOfMetrics>(
  asked: Asked,
  { version }: Table,
): Asked {
  return { ...asked, question: { ...asked.question, asOf: version.version } };
}

/** Layers are always those of the current versions. Of the metrics, only `visits` has an earlier version. */
function hasVersions({ kind, question }: AskedOfMetrics, metricId: string): boolean {
  const isOfMetric = kind === 'values' || kind === 'aggregates';
  return metricId === 'visits' && isOfMetric && question.metricId === 'visits';
}

type Answer = {
  readonly items: readonly unknown[];
  /** The marks of each item, if items can have any. */
  readonly marks: readonly (readonly string[])[];
  readonly totals: readonly unknown[];
  readonly refusals: readonly string[];
};

async function answerOf(
  reading: Promise<Pick<Answer, 'items' | 'totals'> & Partial<Answer>>,
): Promise<Answer> {
  try {
    return { marks: [], ...(await reading), refusals: [] };
  } catch {
    return { items: [], marks: [], totals: [], refusals: [await refusalOf(reading)] };
  }
}

function isNotAllowed({ refusals }: Answer): boolean {
  return refusals.some((text) => text.startsWith('FILTER_NOT_ALLOWED '));
}

function recordsOf(service: ServiceUnderTest, asked: Question): Promise<Answer> {
  const read = async () => {
    if (asked.kind === 'records') {
      const pages = await service.recordPages({ ...asked.question, typedValues: true });
      return {
        items: pages.flatMap(({ fields, rows }) => [fields.map(({ name }) => name), ...rows]),
        marks: pages.flatMap(({ rows, withheldAt }) =>
          withheldAt === undefined ? [] : rows.map((_, index) => withheldAt(index)),
        ),
        totals: pages.map(({ totalSize }) => totalSize),
      };
    }
    const pages = await service.valuePages(asked.question);
    return {
      items: pages.flatMap(({ values }) => values),
      totals: pages.map(({ totalSize }) => totalSize),
    };
  };
  return answerOf(read());
}

/**
 * The marks of the records of an answer, from the rows of the table: of each field in the answer whose small value is withheld,
 * if it is declared with marks.
 */
async function marksMeant(
  reduced: ServiceUnderTest,
  asked: Question,
  { table, grant }: { readonly table: Table; readonly grant: Grant },
): Promise<Answer['marks']> {
  if (asked.kind !== 'records' || asked.question.groupBy !== undefined) return [];
  const { key } = table.version.dataset;
  const [answer] = await readOrNothing(reduced, { ...asked.question, pageSize: 1 });
  const names = answer?.fields.map(({ name }) => name) ?? [];
  const isMarked = ({ name, marksWithheld }: Field) =>
    names.includes(name) && marksWithheld === true;
  if (grant.showsSmallCells || !table.version.dataset.fields.some(isMarked)) return [];
  const pages = await readOrNothing(reduced, { ...asked.question, fields: key });
  const keyOf = (values: readonly unknown[]) => values.map(String).join('/');
  const byKey = new Map(table.rows.map((row) => [keyOf(key.map((name) => row[name])), row]));
  return pages.flatMap(({ rows, fields }) =>
    rows.map((row) => {
      const values = key.map((name) => row[fields.findIndex((field) => field.name === name)]);
      const found = byKey.get(keyOf(values)) ?? {};
      return names.filter((name) =>
        withheldFields(found, table, grant).some((field) => field.name === name && isMarked(field)),
      );
    }),
  );
}

async function readOrNothing(service: ServiceUnderTest, question: RecordsQuestion) {
  try {
    return await service.recordPages(question);
  } catch {
    return [];
  }
}

/** A tile, or its refusal: most grants hide the point, an aggregated field or one that is compared. */
async function tileOf(
  service: ServiceUnderTest,
  question: Omit<TileQuestion, 'dataset'>,
): Promise<unknown> {
  const reading = askTile(service, { ...question, dataset: 'conformance.random' });
  try {
    return await reading;
  } catch {
    return refusalOf(reading);
  }
}

/** The bounds and the values of tiles, or the refusal of their description. */
async function describedTilesOf(
  service: ServiceUnderTest,
  question: Omit<TileQuestion, 'dataset'>,
): Promise<unknown> {
  const call = toCall(question);
  const request = toTileRequest({ ...question, dataset: 'conformance.random' });
  const reading = (async () => {
    const pinned = pinTile(service.context(), request, call);
    const { bounds, fields, aggregates } = await describeTiles(service.context(), pinned, call);
    const names = [...fields, ...aggregates.map(({ field }) => field)].map(({ name }) => name);
    return { bounds, names };
  })();
  try {
    return await reading;
  } catch {
    return refusalOf(reading);
  }
}

function metricsOf(service: ServiceUnderTest, asked: AskedOfMetrics): Promise<Answer> {
  const read = async () => {
    switch (asked.kind) {
      case 'values': {
        const question = { ...asked.question, bestEffortQueryWhenNotAllowed: true };
        const pages = await service.metricValuePages(question);
        const items = pages.flatMap(({ values }) => values);
        const marks = items.map(({ flags }) => flags.filter((flag) => flag.startsWith('withheld')));
        return { items, marks, totals: totalsOf(pages) };
      }
      case 'aggregates': {
        const pages = await service.aggregatePages(asked.question);
        return { items: pages.flatMap(({ rows }) => rows), totals: totalsOf(pages) };
      }
      case 'features': {
        const pages = await service.featurePages(asked.question);
        const items = pages.flatMap(({ features, queryScores }) => [...features, ...queryScores]);
        return { items, totals: totalsOf(pages) };
      }
      case 'components': {
        const pages = await service.componentValuePages(asked.question);
        return { items: pages.flatMap(({ values }) => values), totals: totalsOf(pages) };
      }
      case 'dimensions': {
        const pages = await service.dimensionValuePages(asked.question);
        return { items: pages.flatMap(({ values }) => values), totals: totalsOf(pages) };
      }
    }
  };
  return answerOf(read());
}

const totalsOf = (pages: readonly { readonly totalSize: number }[]) =>
  pages.map(({ totalSize }) => totalSize);

/** The description of the dataset, without the narrowing and what a publish derives from the observation dates. */
async function describe(service: ServiceUnderTest, caller: Caller) {
  const { narrowing: _narrowing, ...version } = await getDataReference(
    service.context(),
    { dataReferenceName: 'conformance.random', billingContext: '' },
    toCall({ caller }),
  );
  const {
    firstObservationDate: _first,
    lastObservationDate: _last,
    cadence: _cadence,
    ...rest
  } = version;
  return rest;
}

const rowCount = (world: World): number =>
  tablesOf(world).reduce((sum, { rows }) => sum + rows.length, 0);

function settings(seed: number) {
  return {
    seed,
    numRuns: STATES,
    timeoutMs: TIMEOUT_MS,
  };
}

async function openDisposable(engine: EngineUnderTest, tables: readonly Table[]) {
  const service = await openService(engine, tables);
  return { ...service, [Symbol.asyncDispose]: service.close };
}
