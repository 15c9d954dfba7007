import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../locmetrics/test/support/temporary-folder.ts';
import { packClient } from '../scripts/pack-client.ts';
import { runNode } from './run-command.ts';

export type ReadmeExample = {
  /** The name of its file. */
  readonly name: string;
  /** The output that the README promises. */
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
 * them the packed client, the packages of its gRPC entry and the types of the datasets.
 */
export async function writeReadmeExamples(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly ReadmeExample[]> {
  installPackedClient(folder);
  for (const name of Object.keys(MANIFEST.peerDependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(REPOSITORY, 'node_modules', name), link);
  }
  const command = join(folder, 'node_modules', '.bin', 'locmetrics-client');
  const types = await runNode([command, 'types'], { folder, environment });
  if (types.code !== 0) throw new Error(types.errors);
  writeFileSync(join(folder, 'datasets.d.ts'), types.output);
  for (const { name, code } of EXAMPLES) {
    writeFileSync(join(folder, name), `${codeOf(FIRST)}${code}`);
  }
  return EXAMPLES;
}

/** Packs the client and installs it as the README says. Nothing is downloaded. */
export function installPackedClient(folder: string): void {
  const packing = temporaryFolder();
  const { status, stderr } = spawnSync(
    'npm',
    ['install', packClient(packing), '--no-save', '--offline', '--no-audit', '--no-fund'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    },
  );
  if (status !== 0) throw new Error(`The packed client could not be installed:\n${stderr}`);
}

const EXAMPLES = BLOCKS.map((block, index) => ({
  name: `example${index + 1}.ts`,
  code: codeOf(block),
  isForNode: /from '(@locmetrics\/client\/grpc|node:)/.test(block),
  output: /^```\n\n```text\n(.*?)^```$/ms.exec(block)?.[1],
}));

function codeOf(block: string): string {
  return /^```ts\n(.*?)^```$/ms.exec(block)?.[1] ?? '';
}
