import { setImmediate as nextLoopTick } from 'node:timers/promises';
import {
  ANSWER_LIMITS,
  type AnswerLimit,
  openAnswerLimit,
} from '@locmetrics/server/service/queries/answer-limit';
import { expect, test } from 'vitest';

const { signal } = new AbortController();
const LARGE = { signal, pageSize: 10_000 };
const SMALL = { signal, pageSize: 0 };

/** Makes a page while it has a place. */
async function makePage<Result>(
  limit: AnswerLimit,
  page: Parameters<AnswerLimit['takePlace']>[0],
  make: () => Promise<Result>,
): Promise<Result> {
  const release = await limit.takePlace(page);
  try {
    return await make();
  } finally {
    release();
  }
}

test.each([
  ['four', SMALL, 4],
  ['three large', LARGE, 3],
])(
  '%s pages are encoded at the same time, the others after them, also if one fails',
  async (_, page, expected) => {
    const limit = openAnswerLimit();
    let making = 0;
    let most = 0;
    const make = async (number: number): Promise<number> => {
      making += 1;
      most = Math.max(most, making);
      await nextLoopTick();
      making -= 1;
      if (number === 3) throw new Error('No answer.');
      return number;
    };
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) => makePage(limit, page, () => make(number))),
    );
    expect(most).toBe(expected);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
  },
);

test('aggregations of one organisation leave places to others, and to its records', async () => {
  const limit = openAnswerLimit();
  const started: string[] = [];
  const take = async (name: string, aggregatesFor?: string) => {
    const release = await limit.takePlace({ ...SMALL, aggregatesFor });
    started.push(name);
    return release;
  };
  const first = take('first', 'acme');
  const second = take('second', 'acme');
  const third = take('third', 'acme');
  const other = take('other', 'partner');
  const records = take('records');
  const releases = await Promise.all([first, second, other, records]);
  expect(started).toEqual(['first', 'second', 'other', 'records']);
  releases[2]?.();
  expect(limit.length()).toEqual({ running: 3, waiting: 1 });
  releases[0]?.();
  releases[3]?.();
  const release = await third;
  releases[1]?.();
  release();
  expect(limit.length()).toEqual({ running: 0, waiting: 0 });
});

test('a request to a full queue is refused', async () => {
  const limit = openAnswerLimit({ ...ANSWER_LIMITS, answersMax: 1, waitingMax: 1 });
  const first = Promise.withResolvers<string>();
  const answers = [
    makePage(limit, LARGE, () => first.promise),
    makePage(limit, LARGE, async () => 'second'),
    makePage(limit, LARGE, async () => 'third'),
  ];
  await expect(answers[2]).rejects.toMatchObject({ reason: 'OVERLOADED' });
  first.resolve('first');
  expect(await Promise.all(answers.slice(0, 2))).toEqual(['first', 'second']);
});

test('a request that is aborted leaves the queue', async () => {
  const limit = openAnswerLimit({ ...ANSWER_LIMITS, answersMax: 1 });
  const first = Promise.withResolvers<string>();
  const leaver = new AbortController();
  const made = makePage(limit, LARGE, () => first.promise);
  const left = makePage(limit, { ...LARGE, signal: leaver.signal }, async () => 'left');
  const stayed = makePage(limit, LARGE, async () => 'stayed');
  leaver.abort(new Error('Gone.'));
  await expect(left).rejects.toThrow('Gone.');
  first.resolve('first');
  expect([await made, await stayed]).toEqual(['first', 'stayed']);
  await expect(
    makePage(limit, { ...LARGE, signal: leaver.signal }, async () => 'left'),
  ).rejects.toThrow('Gone.');
});

test('a small page does not wait for large ones', async () => {
  const limit = openAnswerLimit();
  const never = Promise.withResolvers<void>();
  const large = Array.from({ length: 10 }, () => makePage(limit, LARGE, () => never.promise));
  expect(await makePage(limit, SMALL, async () => 'small')).toBe('small');
  never.resolve();
  await Promise.all(large);
});

test('above the limit of unsent bytes no large page starts; small pages start up to twice the limit', async () => {
  const limit = openAnswerLimit({ ...ANSWER_LIMITS, unsentMaxBytes: 1000 });
  const made: string[] = [];
  const make = (name: string, page = LARGE) =>
    makePage(limit, page, async () => {
      made.push(name);
    });
  const releaseMost = limit.holdUnsent(999);
  await make('large');
  const releaseOne = limit.holdUnsent(1);
  const large = make('large later');
  await make('small', SMALL);
  const releaseReserve = limit.holdUnsent(1000);
  const small = make('small later', SMALL);
  await nextLoopTick();
  expect(made).toEqual(['large', 'small']);
  releaseOne();
  await small;
  expect(made).toEqual(['large', 'small', 'small later']);
  releaseReserve();
  await large;
  expect(made).toEqual(['large', 'small', 'small later', 'large later']);
  releaseMost();
});

test('a second release has no effect', async () => {
  const limit = openAnswerLimit({ ...ANSWER_LIMITS, unsentMaxBytes: 10, waitingMax: 0 });
  limit.holdUnsent(10);
  const release = limit.holdUnsent(10);
  release();
  release();
  await expect(makePage(limit, LARGE, async () => 'made')).rejects.toMatchObject({
    reason: 'OVERLOADED',
  });
});
