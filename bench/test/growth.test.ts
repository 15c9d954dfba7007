import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../../packages/locmetrics/test/support/use-temporary-folder.ts';
import { runProgram } from '../src/systems/run-program.ts';
import { list, member } from '../src/workloads/read-json.ts';

const inFolder = useTemporaryFolder();
const ENTRY_POINT = fileURLToPath(new URL('../src/growth/main.ts', import.meta.url));

test('sizes are published once, and asked in each run', {
  tags: 'slow',
  timeout: 600_000,
}, async () => {
  const [data, out] = [inFolder('growth'), inFolder('growth.json')];
  const parameters = ['--rows', '240,2400', '--rounds', '1', '--seconds', '1'];
  const run = () =>
    runProgram(process.execPath, [ENTRY_POINT, ...parameters, '--data', data, '--out', out]);
  const readSizes = async () => list(member(JSON.parse(await readFile(out, 'utf8')), 'sizes'));

  const table = (await run()).trimEnd().split('\n');
  expect(table[0]).toMatch(/^ +rows +publish +requests\/s +p50 ms +× first .*resident$/);
  expect(table.slice(1)).toEqual([
    expect.stringMatching(/^ +240 +[\d.]+ s .* 1\.00 .* MiB$/),
    expect.stringMatching(/^2,400 +[\d.]+ s .* MiB$/),
  ]);
  const sizes = await readSizes();
  for (const name of ['requestsPerSecond', 'cpuMicros', 'residentBytes', 'publishSeconds']) {
    expect(sizes.map((size) => Number(member(size, name)))).toEqual([
      expect.toSatisfy((value: number) => value > 0),
      expect.toSatisfy((value: number) => value > 0),
    ]);
  }

  await run();
  const again = await readSizes();
  const publishes = (all: readonly unknown[]) => all.map((size) => member(size, 'publishSeconds'));
  expect(publishes(again)).toEqual(publishes(sizes));
});
