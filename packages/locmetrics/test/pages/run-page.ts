import { spawnSync } from 'node:child_process';
import { ENTRY_POINT } from '../commands/run-command.ts';
import { BLOCK_END, type PageBlock, readPageBlocks } from './read-page-blocks.ts';

export type RunBlock = PageBlock & {
  /** What it wrote to both streams. */
  readonly printed: string;
};

/**
 * Runs the `sh` blocks of a page in one shell of the folder, in their order, as a reader does; `npx locmetrics` is the
 * command of the sources. Ends at the first one that fails, and throws what was printed until then.
 */
export function runPage(
  page: string,
  {
    folder,
    environment = {},
    replace = (code) => code,
  }: {
    readonly folder: string;
    readonly environment?: Readonly<Record<string, string>>;
    /** Changes the code of a block, such as an address in it. */
    readonly replace?: (code: string) => string;
  },
): readonly RunBlock[] {
  const blocks = readPageBlocks(page, 'sh').filter(({ code }) => !code.startsWith('npm ci'));
  const npx = `npx() { shift; '${process.execPath}' '${ENTRY_POINT}' "$@"; }`;
  const script = blocks.map(({ code }) => `${replace(code)}\nprintf '${BLOCK_END}'\n`).join('');
  const { status, stdout } = spawnSync(
    'bash',
    ['-euo', 'pipefail', '-c', `exec 2>&1\n${npx}\n${script}`],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, ...environment } },
  );
  if (status !== 0) throw new Error(`A block of ${page} failed:\n${stdout}`);
  const printed = stdout.split(BLOCK_END);
  return blocks.map((block, index) => ({ ...block, printed: printed[index] ?? '' }));
}

/** What the page shows below its blocks and they did not print. A line of `…` stands for any lines. */
export function missingOutput(blocks: readonly RunBlock[]): readonly object[] {
  return blocks.flatMap(({ code, output = '', printed }) =>
    output
      .split(/^…\n/m)
      .filter((part) => !mask(printed).includes(mask(part)))
      .map((shown) => ({ code, shown, printed })),
  );
}

/** What differs in each run. */
function mask(text: string): string {
  return text
    .replace(/\d{8}T\d{9}Z-[0-9a-f]{12}/g, 'VERSION')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\bin \d+\.\d s\b/g, 'in N s')
    .replace(/[\d,]+ a second/g, 'N a second')
    .replace(/(?<=grant |id is |revoke )[a-z0-9]{12}\b/g, 'ID')
    .replace(/\blm_\w+/g, 'TOKEN');
}
