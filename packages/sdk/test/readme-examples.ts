import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildClient } from '../scripts/build-client.ts';
import { runNode } from './run-command.ts';

export type ReadmeExample = {
  /** The name of its file. */
  readonly name: string;
  /** What the README says that it prints. */
  readonly output: string | undefined;
  /** Whether it is for Node only. */
  readonly isForNode: boolean;
};

const REPOSITORY = join(import.meta.dirname, '..', '..', '..');
const MANIFEST: { readonly peerDependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [FIRST = '', ...BLOCKS] = README.split(/^(?=```ts$)/m).slice(1);

/**
 * Writes the examples of the README into a folder, each with the block that makes the client before it, and beside
 * them the built client, the packages of its gRPC entry and the types of the datasets.
 */
export async function writeReadmeExamples(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly ReadmeExample[]> {
  const built = join(folder, 'node_modules', '@locmetrics', 'client');
  mkdirSync(built, { recursive: true });
  buildClient(built);
  for (const name of Object.keys(MANIFEST.peerDependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(REPOSITORY, 'node_modules', name), link);
  }
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
  isForNode: block.includes("from '@locmetrics/client/grpc'"),
  output: /^```\n\n```text\n(.*?)^```$/ms.exec(block)?.[1],
}));

function codeOf(block: string): string {
  return /^```ts\n(.*?)^```$/ms.exec(block)?.[1] ?? '';
}
