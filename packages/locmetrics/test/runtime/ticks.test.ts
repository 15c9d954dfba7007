import { setImmediate } from 'node:timers/promises';
import { openTicks } from '@locmetrics/core/runtime/ticks';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a tick is over before a millisecond, and other work runs before the next one', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(100);
  const ticks = openTicks();
  now.mockReturnValue(100.7);
  expect(ticks.isOver()).toBe(false);
  now.mockReturnValue(100.9);
  expect(ticks.isOver()).toBe(true);
  let rounds = 0;
  const counting = setImmediate().then(() => {
    rounds += 1;
  });
  await ticks.next();
  await counting;
  expect([ticks.isOver(), rounds]).toEqual([false, 1]);
});

test('of several long works one tick runs in each round of the event loop', async () => {
  let round = 0;
  let isDone = false;
  const count = async (): Promise<void> => {
    while (!isDone) {
      await setImmediate();
      round += 1;
    }
  };
  const counted = count();
  const roundsOf = async (): Promise<readonly number[]> => {
    const ticks = openTicks();
    const rounds: number[] = [];
    for (let tick = 0; tick < 5; tick += 1) {
      await ticks.next();
      rounds.push(round);
    }
    return rounds;
  };
  const works = await Promise.all([roundsOf(), roundsOf(), roundsOf()]);
  isDone = true;
  await counted;
  const all = works.flat().sort((left, right) => left - right);
  expect(new Set(all).size).toBe(all.length);
});
