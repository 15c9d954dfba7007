import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { openTurns } from '../../src/runtime/turns.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a turn is over before a millisecond, and others go on before the next one', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(100);
  const turns = openTurns();
  now.mockReturnValue(100.7);
  expect(turns.isOver()).toBe(false);
  now.mockReturnValue(100.9);
  expect(turns.isOver()).toBe(true);
  let rounds = 0;
  const counting = setImmediate().then(() => {
    rounds += 1;
  });
  await turns.next();
  await counting;
  expect([turns.isOver(), rounds]).toEqual([false, 1]);
});

test('of several long works one turn runs in each round of the event loop', async () => {
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
    const turns = openTurns();
    const rounds: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await turns.next();
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
