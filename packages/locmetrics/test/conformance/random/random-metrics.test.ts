// @module-tag sized

import { expectAt } from '@locmetrics/core/errors/expect-at';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { atLeast, atMost, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import type { EngineUnderTest } from '../engines/engine-under-test.ts';
import { COMPARED } from '../engines/engines.ts';
import { memoryEngine } from '../engines/memory-engine.ts';
import { readPlainly } from '../engines/plain-reading.ts';
import { openService, type ServiceUnderTest } from '../engines/service-under-test.ts';
import type { MetricAnswer } from '../metrics/ask-metrics.ts';
import { refusalOf } from '../refusal.ts';
import { type MetricsQuestion, randomMetricsQuestion } from './random-metric-question.ts';
import { randomWorld, type World } from './random-world.ts';

/** The number of worlds. Each gets 45 questions on average. */
const WORLDS = testCount('TABLES', { few: 1, all: 24 });
const [QUESTIONS_MIN, QUESTIONS_MAX] = [30, 60];
const TIMEOUT_MS = 1_800_000 + WORLDS * 12_000 * COMPARED.length;

test(
  'every engine answers random questions about metrics as the plain reference does',
  async () => {
    const seed = announceSeed('random metrics');
    const seen = { values: 0, others: 0, items: 0, pages: 0, refusals: 0, empty: 0 };
    const property = fc.asyncProperty(
      randomWorld,
      fc.noBias(
        fc.array(randomMetricsQuestion, {
          minLength: QUESTIONS_MIN,
          maxLength: QUESTIONS_MAX,
          size: 'max',
        }),
      ),
      async (world, questions) => {
        await using reference = await openDisposable(memoryEngine, world);
        const expected = await Promise.all(questions.map((asked) => answerOf(reference, asked)));
        for (const [index, answer] of expected.entries()) {
          const asked = expectAt(questions, index);
          const whole = await answerOf(reference, onOnePage(asked));
          expect(answer.items).toStrictEqual(whole.items);
          if (asked.kind === 'values' && answer.refusals.length === 0) {
            checkValues(world, asked.question, answer.pages as readonly MetricAnswer[]);
          }
          seen[asked.kind === 'values' ? 'values' : 'others'] += 1;
          seen.items += answer.items.length;
          seen.pages += answer.pages.length;
          seen.refusals += answer.refusals.length;
          seen.empty += Number(answer.items.length === 0);
        }
        for (const engine of COMPARED) {
          await using service = await openDisposable(engine, world);
          const checks = questions.map(async (asked, index) => {
            const given = await answerOf(service, asked);
            expect(given, engine.name).toStrictEqual(expected[index]);
          });
          // After a failure too, the engine is closed only when it has answered all questions.
          await Promise.allSettled(checks);
          await Promise.all(checks);
        }
      },
    );
    await assertRandom(property, {
      seed,
      numRuns: WORLDS,
      verbose: fc.VerbosityLevel.Verbose,
      timeoutMs: TIMEOUT_MS,
    });

    // Empty answers and refusals would agree too, so a minimum of real answers is required.
    const questions = seen.values + seen.others;
    expect(questions).toBeGreaterThan(atLeast(WORLDS * 30));
    expect(seen.values).toBeGreaterThan(atLeast(questions * 0.4));
    expect(seen.items).toBeGreaterThan(atLeast(questions * 1.5));
    expect(seen.pages).toBeGreaterThan(atLeast(questions * 1.1));
    expect(seen.refusals).toBeLessThan(atMost(questions / 4));
    expect(seen.empty).toBeLessThan(atMost(questions * 0.7));
  },
  TIMEOUT_MS,
);

/** Checks that the values and totals of the pages equal those of the plain reading. */
function checkValues(
  { visits, places, areas }: World,
  question: Extract<MetricsQuestion, { readonly kind: 'values' }>['question'],
  pages: readonly MetricAnswer[],
): void {
  const { metricId = '', trackTotalHits: track = true, countOnly = false } = question;
  const meant = readPlainly([visits, places, areas], { ...question, metricId });
  const total = track === false ? 0 : track === true ? meant.length : Math.min(meant.length, track);
  expect(pages.map(({ totalSize }) => totalSize)).toStrictEqual(
    pages.map(() => (countOnly ? meant.length : total)),
  );
  expect(pages.flatMap(({ values }) => values)).toStrictEqual(countOnly ? [] : meant);
}

type Answer = {
  readonly pages: readonly { readonly nextPageToken: string }[];
  /** The content of all pages in order. */
  readonly items: readonly unknown[];
  readonly refusals: readonly string[];
};

/** All pages, or the refusal. Tokens are compared too, because another engine may answer the next page. */
async function answerOf(service: ServiceUnderTest, asked: MetricsQuestion): Promise<Answer> {
  const reading = pagesOf(service, asked);
  try {
    return { ...(await reading), refusals: [] };
  } catch {
    return { pages: [], items: [], refusals: [await refusalOf(reading)] };
  }
}

async function pagesOf(
  service: ServiceUnderTest,
  asked: MetricsQuestion,
): Promise<Omit<Answer, 'refusals'>> {
  switch (asked.kind) {
    case 'values': {
      const pages = await service.metricValuePages(asked.question);
      return { pages, items: pages.flatMap(({ values }) => values) };
    }
    case 'features': {
      const pages = await service.featurePages(asked.question);
      const items = pages.flatMap(({ features, queryScores }) =>
        features.map((feature, index) => [feature, queryScores[index]]),
      );
      return { pages, items };
    }
    case 'components': {
      const pages = await service.componentValuePages(asked.question);
      return { pages, items: pages.flatMap(({ values }) => values) };
    }
    case 'dimensions': {
      const pages = await service.dimensionValuePages(asked.question);
      return { pages, items: pages.flatMap(({ values }) => values) };
    }
  }
}

/** Each requested item once, in order. */
function onOnePage(asked: MetricsQuestion): MetricsQuestion {
  const { sentRowsMax: _cut, ...question } = asked.question;
  return { kind: asked.kind, question: { ...question, pageSize: 10_000 } } as MetricsQuestion;
}

async function openDisposable(engine: EngineUnderTest, { visits, places, areas }: World) {
  const service = await openService(engine, [visits, places, areas]);
  return { ...service, [Symbol.asyncDispose]: service.close };
}
