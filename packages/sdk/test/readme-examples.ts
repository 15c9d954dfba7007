import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from '../scripts/build-client.ts';
import { runNode } from './run-command.ts';

export type ReadmeExample = {
  /** The name of its file. */
  readonly name: string;
  /** What the README says that it prints. */
  readonly output: string | undefined;
};

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [FIRST = '', ...BLOCKS] = README.split(/^(?=```ts$)/m).slice(1);

/**
 * Writes the examples of the README into a folder, each with the block that makes the client before it, and beside
 * them the built client and the types of the datasets.
 */
export async function writeReadmeExamples(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly ReadmeExample[]> {
  const built = join(folder, 'node_modules', '@locmetrics', 'client');
  mkdirSync(built, { recursive: true });
  buildClient(built);
  const command = join(built, 'src', 'node', 'main.js');
  const types = await runNode([command, 'types'], { folder, environment });
  if (types.code !== 0) throw new Error(types.errors);
  writeFileSync(join(folder, 'datasets.d.ts'), types.output);
  for (const { name, code } of EXAMPLES) {
    writeFileSync(join(folder, name), `${codeOf(FIRST)}${code}`);
  }
  return EXAMPLES;
}

const EXAMPLES = BLOCKS.map((block, index) => ({
  name: `example${index + 1}.ts`,
  code: codeOf(block),
  output: /^```\n\n```text\n(.*?)^```$/ms.exec(block)?.[1],
}));

function codeOf(block: string): string {
  return /^```ts\n(.*?)^```$/ms.exec(block)?.[1] ?? '';
}
