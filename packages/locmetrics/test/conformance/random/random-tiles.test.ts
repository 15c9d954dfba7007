// @module-tag sized

import type { Additivity } from '@locmetrics/core/domain/field';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { atLeast, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import {
  askTiles,
  countTiles,
  randomTileQuestion,
  type TileQuestion,
} from '../areas/tile-question.ts';
import { COMPARED } from '../engines/engines.ts';
import { memoryEngine } from '../engines/memory-engine.ts';
import { openService } from '../engines/service-under-test.ts';
import { where } from '../filter-clause.ts';
import { refusalOf } from '../refusal.ts';
import type { Table } from '../table.ts';
import { randomTable } from './random-table.ts';

/** The number of tables. Each gets 50 questions. */
const TABLES = testCount('TABLES', { few: 2, all: 50 });
const TIMEOUT_MS = 1_800_000 + TABLES * 2_000 * COMPARED.length;

test(
  'every engine answers random tiles as the plain reference does',
  async () => {
    const seed = announceSeed('random tiles');
    const seen = { points: 0, cells: 0, aggregates: 0, refused: 0, sumsOfPeriods: 0 };
    const property = fc.asyncProperty(
      randomTable,
      randomMeasures,
      fc.noBias(fc.array(randomSums, { minLength: 50, maxLength: 50 })),
      async (random, measures, questions) => {
        const table = withMeasures(withPoint(random), measures);
        const dataset = table.version.dataset.name;
        const asked = questions.map((question) => ({ ...question, dataset }));
        const expected = await askTiles(memoryEngine, table, asked);
        countTiles(expected, seen);
        const refused = expected.map(({ kind }) => kind === 'refused');
        expect(refused).toEqual(await refusedOfGroups(table, asked));
        seen.refused += refused.filter(Boolean).length;
        seen.sumsOfPeriods += asked.filter(
          ({ aggregates = [] }, index) =>
            measures.count === 'places' &&
            aggregates.some(isSumOfCount) &&
            expected[index]?.kind !== 'refused',
        ).length;
        for (const engine of COMPARED) {
          expect(await askTiles(engine, table, asked), engine.name).toStrictEqual(expected);
        }
      },
    );
    await assertRandom(property, {
      seed,
      numRuns: TABLES,
      verbose: fc.VerbosityLevel.Verbose,
      timeoutMs: TIMEOUT_MS,
      isEnough: () => seen.sumsOfPeriods > 0,
    });
    expect(seen.points).toBeGreaterThan(atLeast(TABLES * 5));
    expect(seen.cells).toBeGreaterThan(atLeast(TABLES * 10));
    expect(seen.aggregates).toBeGreaterThan(atLeast(TABLES * 5));
    expect(seen.refused).toBeGreaterThan(atLeast(TABLES * 5));
    expect(seen.sumsOfPeriods).toBeGreaterThan(atLeast(0));
  },
  TIMEOUT_MS,
);

function withPoint({ version, rows }: Table): Table {
  const point = { latitude: 'latitude', longitude: 'longitude' };
  return { version: { ...version, dataset: { ...version.dataset, point, vectors: point } }, rows };
}

/** Over what two of the measures can be added up, and whether records are totals of others. */
type Measures = {
  readonly count: Additivity;
  readonly number: Additivity;
  readonly totalKind?: string | undefined;
};

const additivity = fc.constantFrom<Additivity>(
  'all',
  'all',
  'all',
  'places',
  'places',
  'periods',
  'none',
);
const randomMeasures: fc.Arbitrary<Measures> = fc.record({
  count: additivity,
  number: additivity,
  totalKind: fc.constantFrom(...Array.from({ length: 7 }, () => undefined), 'a'),
});

function withMeasures(
  { version, rows }: Table,
  { count, number, totalKind: totalLabel }: Measures,
): Table {
  const { dataset } = version;
  const given = {
    count: { additive: count },
    number: { additive: number },
    kind: totalLabel === undefined ? {} : { totalLabel },
  };
  const fields = dataset.fields.map((field) => ({
    ...field,
    ...given[field.name as keyof typeof given],
  }));
  return { version: { ...version, dataset: { ...dataset, fields } }, rows };
}

/** Some filters leave one period or one kind, so that some sums are of one. */
const randomSums = fc
  .tuple(
    randomTileQuestion,
    fc.oneof(
      { arbitrary: fc.constant([]), weight: 2 },
      {
        arbitrary: fc.constantFrom(['first_day'], ['first_day', 'last_day'], ['since'], ['kind']),
        weight: 1,
      },
    ),
  )
  .map(([question, pinned]) =>
    question.filterLogic === undefined || question.filterLogic === ''
      ? {
          ...question,
          filters: [
            ...question.filters,
            ...pinned.map((name) => where(name, '==', name === 'kind' ? 'A' : '2024-02-29')),
          ],
        }
      : question,
  );

const isSumOfCount = ({ function: of, fieldName }: { function: string; fieldName: string }) =>
  of === 'sum' && fieldName === 'count';

/** Which of the tiles have a sum or a mean that a group of the same records is refused. */
async function refusedOfGroups(
  table: Table,
  questions: readonly TileQuestion[],
): Promise<readonly boolean[]> {
  const service = await openService(memoryEngine, [table]);
  try {
    const refused: boolean[] = [];
    for (const { aggregates = [], filters = [], filterLogic = '', circle } of questions) {
      const answer = service.listRecords({
        filters,
        filterLogic,
        fields: aggregates.map(({ function: of, fieldName: name }, index) => ({
          name,
          source: '',
          aggregation: of === 'sum' ? 'SUM' : 'AVG',
          alias: `value_${index}`,
        })),
        ...(circle === undefined ? {} : { circle }),
      });
      refused.push(await isRefused(answer));
    }
    return refused;
  } finally {
    await service.close();
  }
}

async function isRefused(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer;
    return false;
  } catch {
    expect(await refusalOf(answer)).toMatch(/^NOT_ADDITIVE/);
    return true;
  }
}
