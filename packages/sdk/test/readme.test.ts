import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildClient } from '../scripts/build-client.ts';
import { useSample } from './open-sample.ts';
import { COMPILER, runNode } from './run-command.ts';

/** The examples of the README, run with the built package against the sample. */
const { url, data } = useSample();

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const BLOCKS = [...README.matchAll(/^```ts\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms)].map(
  ([, code = '', output]) => ({ code, output }),
);
const [FIRST = { code: '', output: undefined }, ...REST] = BLOCKS;
const EXAMPLES = REST.map(({ code, output }, index) => ({
  name: `example${index + 1}.ts`,
  program: `${FIRST.code}${code}`,
  output,
}));

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'locmetrics-readme-'));
  const built = join(folder, 'node_modules', '@locmetrics', 'client');
  mkdirSync(built, { recursive: true });
  buildClient(built);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const command = join(built, 'src', 'node', 'main.js');
  const types = await runNode([command, 'types'], { folder, environment: environment() });
  writeFileSync(join(folder, 'datasets.d.ts'), types.output);
  for (const { name, program } of EXAMPLES) writeFileSync(join(folder, name), program);
});
afterAll(() => rmSync(folder, { recursive: true }));

const environment = () => ({
  LOCMETRICS_URL: url(),
  LOCMETRICS_TOKEN: data().token,
  LOCMETRICS_ORG: 'demo',
});

test.each(EXAMPLES)('$name of the README runs, with the output that it shows', async (example) => {
  const { code, output, errors } = await runNode([example.name], {
    folder,
    environment: environment(),
  });

  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).not.toBe('');
  expect(output).toBe(example.output ?? output);
});

test('the examples of the README compile', async () => {
  expect(EXAMPLES.length).toBeGreaterThan(7);
  const nodeTypes = join(import.meta.dirname, '..', '..', '..', 'node_modules', '@types');
  const compiled = await runNode(
    [
      ...[COMPILER, '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'],
      ...['--typeRoots', nodeTypes, '--types', 'node', '--skipLibCheck'],
      ...EXAMPLES.map(({ name }) => name),
    ],
    { folder },
  );
  expect(compiled).toEqual({ code: 0, output: '', errors: '' });
});
