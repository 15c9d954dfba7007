import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openAnswerLimit } from '../../src/service/answer-limit.ts';

test('four answers are made at once, the others after them, also when one fails', async () => {
  const limit = openAnswerLimit();
  const { signal } = new AbortController();
  let making = 0;
  let most = 0;
  const make = async (number: number): Promise<number> => {
    making += 1;
    most = Math.max(most, making);
    await nextTurn();
    making -= 1;
    if (number === 3) throw new Error('No answer.');
    return number;
  };
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, (_, number) => limit.use(signal, () => make(number))),
  );
  expect(most).toBe(4);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
});
