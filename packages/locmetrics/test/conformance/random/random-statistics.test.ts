// @module-tag sized

import { type Grant, wholeGrant } from '@locmetrics/core/domain/grant';
import { type Value, valueText } from '@locmetrics/core/domain/value';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { atLeast, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import { askLayerStats, askStatistics } from '../ask-statistics.ts';
import { ENGINES_AT_ONCE } from '../engines/engines.ts';
import {
  openService,
  type RowsQuestion,
  type ServiceUnderTest,
} from '../engines/service-under-test.ts';
import { few } from '../few.ts';
import { refusalOf } from '../refusal.ts';
import { callerWith, suppress, withSuppression } from './random-grant.ts';
import { type Question, randomFilter, randomQuestion } from './random-question.ts';
import { FIELDS, randomTable } from './random-table.ts';

/** Statistics say no more than the pages of records that the caller may list: they are counts over these. */

const STATES = testCount('TABLES', { few: 2, all: 30 });
const QUESTIONS = 12;
const TIMEOUT_MS = 1_800_000 + STATES * 3_000 * ENGINES_AT_ONCE.length;
const DATASET = 'conformance.random';

const randomGrant = fc.record({
  filters: few(randomFilter, 1),
  fields: fc.option(fc.subarray(Object.keys(FIELDS), { minLength: 8 })),
  showsSmallCells: fc.boolean(),
});

const asked = fc.record({
  question: randomQuestion.map(({ question }: Question): RowsQuestion => {
    const { filters = [], filterLogic = '', trim = 'trim', box, polygon, circle } = question;
    const place = { ...(box && { box }), ...(polygon && { polygon }), ...(circle && { circle }) };
    return { filters, filterLogic, trim, ...place };
  }),
  dimensions: fc.subarray(Object.keys(FIELDS), { maxLength: 3 }),
});

test(
  'the statistics of every engine are counts over the records that the caller may list',
  async () => {
    const seed = announceSeed('random statistics');
    const seen = { dates: 0, refusals: 0 };
    const property = fc.asyncProperty(
      randomTable.filter(({ version }) => version.dataset.period !== undefined),
      randomGrant,
      fc.record({ count: suppress, score: suppress }),
      fc.array(asked, { minLength: QUESTIONS, maxLength: QUESTIONS }),
      async (random, drawn, suppressed, questions) => {
        const table = withSuppression(random, suppressed);
        const grant: Grant = {
          ...wholeGrant('some', DATASET),
          ...drawn,
          fields: drawn.fields ?? undefined,
        };
        const caller = callerWith([grant]);
        const place = table.version.dataset.key[0] ?? '';
        const isSeen = (name: string) => drawn.fields === null || drawn.fields.includes(name);
        for (const engine of ENGINES_AT_ONCE) {
          const service = await openService(engine, [table]);
          try {
            for (const { question, dimensions } of questions) {
              const request = { ...question, dataset: DATASET, caller };
              if (!['first_day', 'last_day', place].every(isSeen)) {
                const refusal = await refusalOf(askStatistics(service, request));
                expect(refusal, engine.name).toContain('STATISTICS_UNAVAILABLE');
                seen.refusals += 1;
                continue;
              }
              const named = dimensions.filter(isSeen);
              const fields = [...new Set(['first_day', place, ...named])];
              const rows = await recordsOf(service, { ...request, fields });
              const given = await answerOf(askStatistics(service, request));
              expect(given, engine.name).toStrictEqual(
                rows instanceof Error ? rows : fold(rows, place),
              );
              if (rows instanceof Error || (question.filterLogic ?? '') !== '') continue;
              for (const date of ['2024-02-29', '0001-01-01']) {
                const counts = await askLayerStats(service, {
                  ...request,
                  date,
                  dimensions: named,
                });
                expect(counts, engine.name).toStrictEqual(
                  [place, ...named].map((name) =>
                    countDistinct(
                      rows.filter((row) => row['first_day'] === date),
                      name,
                    ),
                  ),
                );
              }
              seen.dates += fold(rows, place).length;
            }
          } finally {
            await service.close();
          }
        }
      },
    );
    await assertRandom(property, { seed, numRuns: STATES, timeoutMs: TIMEOUT_MS });
    expect(seen.dates).toBeGreaterThan(atLeast(STATES));
  },
  TIMEOUT_MS,
);

type Row = Readonly<Record<string, Value>>;

/** All records, or the refusal of their request. */
async function recordsOf(
  service: ServiceUnderTest,
  question: RowsQuestion & { readonly fields: readonly string[] },
): Promise<readonly Row[] | Error> {
  const pages = await answerOf(service.recordPages({ ...question, pageSize: 7 }));
  if (pages instanceof Error) return pages;
  return pages.flatMap(({ fields, rows }) =>
    rows.map((row) =>
      Object.fromEntries(fields.map(({ name }, index) => [name, row[index] ?? null])),
    ),
  );
}

/** An answer, or an error with the text of its refusal. */
async function answerOf<Answer>(asking: Promise<Answer>): Promise<Answer | Error> {
  try {
    return await asking;
  } catch {
    return new Error(await refusalOf(asking));
  }
}

function fold(rows: readonly Row[], place: string): readonly (readonly [string, number, number])[] {
  const dated = rows.filter((row) => row['first_day'] !== null);
  const byDate = Map.groupBy(dated, (row) => String(row['first_day']));
  return [...byDate.keys()].sort().map((date) => {
    const found = byDate.get(date) ?? [];
    return [date, found.length, countDistinct(found, place)];
  });
}

function countDistinct(rows: readonly Row[], name: string): number {
  const texts = rows.flatMap((row) => {
    const value = row[name] ?? null;
    return value === null ? [] : [valueText(value)];
  });
  return new Set(texts).size;
}
