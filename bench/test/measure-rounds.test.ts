import { expect, test } from 'vitest';
import { measureRounds } from '../src/measure-rounds.ts';

async function runRounds(areWarm: boolean): Promise<{
  readonly asked: readonly string[];
  readonly results: ReadonlyMap<string, readonly string[]>;
}> {
  const asked: string[] = [];
  const contestants = ['a', 'b', 'c'].map((name) => ({
    name,
    run: async (seedText: string, isWarmUp: boolean) => {
      asked.push(`${name} ${seedText}${isWarmUp ? ' uncounted' : ''}`);
      return `${name} of ${seedText}`;
    },
  }));
  const results = await measureRounds(contestants, {
    rounds: 2,
    seedText: '7/W1',
    messages: () => {},
    areWarm,
  });
  return { asked, results };
}

test('systems warm up, then take turns; every other round is in reverse order; each round has its own requests', async () => {
  const { asked, results } = await runRounds(false);
  expect(asked).toEqual([
    ...['a', 'b', 'c'].map((name) => `${name} 7/W1/warm-up uncounted`),
    ...['a', 'b', 'c'].map((name) => `${name} 7/W1/0`),
    ...['c', 'b', 'a'].map((name) => `${name} 7/W1/1`),
  ]);
  expect(results.get('b')).toEqual(['b of 7/W1/0', 'b of 7/W1/1']);
});

test('warm systems are measured without a warm-up', async () => {
  expect((await runRounds(true)).asked).toHaveLength(6);
});
