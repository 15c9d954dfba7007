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
import {
  openService,
  type RecordsAnswer,
  type ServiceUnderTest,
  type ValuesAnswer,
} from '../engines/service-under-test.ts';
import { refusalOf } from '../refusal.ts';
import type { Table } from '../table.ts';
import { type Question, randomQuestion } from './random-question.ts';
import { randomTable } from './random-table.ts';

/** The number of tables. Each gets 50 questions on average. */
const TABLES = testCount('TABLES', { few: 2, all: 50 });
const QUESTIONS_MAX = 100;
const TIMEOUT_MS = 1_800_000 + TABLES * 2_000 * COMPARED.length;

test(
  'every engine answers random questions as the plain reference does',
  async () => {
    const seed = announceSeed('random plans');
    const seen = { questions: 0, rows: 0, pages: 0, refusals: 0 };
    const property = fc.asyncProperty(
      randomTable,
      fc.noBias(fc.array(randomQuestion, { minLength: 1, maxLength: QUESTIONS_MAX, size: 'max' })),
      async (table, questions) => {
        await using reference = await openDisposable(memoryEngine, table);
        const expected = await Promise.all(questions.map((asked) => answerOf(reference, asked)));
        for (const [index, answer] of expected.entries()) {
          const whole = await itemsOnOnePage(reference, expectAt(questions, index));
          expect(answer.items).toStrictEqual(whole);
          seen.questions += 1;
          seen.rows += answer.items.length;
          seen.pages += answer.pages.length;
          seen.refusals += answer.refusals.length;
        }
        for (const engine of COMPARED) {
          await using service = await openDisposable(engine, table);
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
      numRuns: TABLES,
      verbose: fc.VerbosityLevel.Verbose,
      timeoutMs: TIMEOUT_MS,
    });

    // Empty answers and refusals would agree too, so a minimum of real answers is required.
    expect(seen.questions).toBeGreaterThan(atLeast(TABLES * 30));
    expect(seen.rows).toBeGreaterThan(atLeast(seen.questions * 1.5));
    expect(seen.pages).toBeGreaterThan(atLeast(seen.questions * 1.1));
    expect(seen.refusals).toBeLessThan(atMost(seen.questions / 4));
  },
  TIMEOUT_MS,
);

type Answer = {
  readonly pages: readonly Page[];
  /** The content of all pages in order. */
  readonly items: readonly unknown[];
  readonly refusals: readonly string[];
};
type Page = RecordsAnswer | ValuesAnswer;

/** All pages, or the refusal. Tokens are compared too, because another engine may answer the next page. */
async function answerOf(service: ServiceUnderTest, asked: Question): Promise<Answer> {
  const reading: Promise<readonly Page[]> =
    asked.kind === 'records'
      ? service.recordPages(asked.question)
      : service.valuePages(asked.question);
  try {
    const pages = await reading;
    return { pages, items: pages.flatMap(itemsOf), refusals: [] };
  } catch {
    return { pages: [], items: [], refusals: [await refusalOf(reading)] };
  }
}

/** Each requested record or value once, in order, as the reference returns them. */
async function itemsOnOnePage(reference: ServiceUnderTest, asked: Question) {
  const { items } = await answerOf(reference, withPageSize(asked, 10_000));
  return items;
}

function withPageSize(asked: Question, pageSize: number): Question {
  return asked.kind === 'records'
    ? { kind: 'records', question: { ...asked.question, pageSize } }
    : { kind: 'values', question: { ...asked.question, pageSize } };
}

function itemsOf(page: Page): readonly unknown[] {
  return 'rows' in page ? page.rows : page.values;
}

async function openDisposable(engine: EngineUnderTest, table: Table) {
  const service = await openService(engine, [table]);
  return { ...service, [Symbol.asyncDispose]: service.close };
}
