import { spawnSync } from 'node:child_process';
import { ENTRY_POINT } from '../commands/run-command.ts';
import { BLOCK_END, type PageBlock, readPageBlocks } from './read-page-blocks.ts';

export type RunBlock = PageBlock & {
  readonly page: string;
  /** What it wrote to both streams. */
  readonly printed: string;
};

/**
 * Runs the `sh` blocks of pages in one shell of the folder, in their order, as a reader does; `npx locmetrics` is the
 * command of the sources. Ends at the first one that fails, and throws what was printed until then.
 */
export function runPages(
  pages: readonly string[],
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
  const blocks = pages.flatMap((page) =>
    readPageBlocks(page, 'sh')
      .filter(({ code }) => !code.startsWith('npm ci'))
      .map((block) => ({ page, ...block })),
  );
  const npx = `npx() { shift; '${process.execPath}' '${ENTRY_POINT}' "$@"; }`;
  const script = blocks.map(({ code }) => `${replace(code)}\nprintf '${BLOCK_END}'\n`).join('');
  const { status, stdout } = spawnSync(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', `exec 2>&1\n${npx}\n${script}`],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, ...environment } },
  );
  const printed = stdout.split(BLOCK_END);
  if (status !== 0) {
    const { page, code } = blocks[printed.length - 1] ?? { page: '', code: '' };
    throw new Error(`A block of ${page} failed:\n${code}\n${printed.at(-1)}`);
  }
  return blocks.map((block, index) => ({ ...block, printed: printed[index] ?? '' }));
}

/** Lines that pages show below their blocks, and that the blocks did not print. A line of `…` stands for any lines. */
export function missingOutput(blocks: readonly RunBlock[]): readonly object[] {
  return blocks.flatMap(({ page, code, output = '', printed }) =>
    output
      .split(/^…\n/m)
      .filter((part) => !mask(printed).includes(mask(part)))
      .map((shown) => ({ page, code, shown, printed })),
  );
}

/** What differs in each run. */
function mask(text: string): string {
  return text
    .replace(/\r/g, '')
    .replace(/\/\S*(?=\/\.locmetrics\b)/g, 'FOLDER')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID')
    .replace(/\d{8}T\d{9}Z-[0-9a-f]{12}/g, 'VERSION')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\bin \d+\.\d s\b/g, 'in N s')
    .replace(/[\d,]+ a second/g, 'N a second')
    .replace(/[\d,.]+ (KiB|µs)/g, 'N $1')
    .replace(/\b[0-9a-v]{12}\b/g, 'ID')
    .replace(/\blm_\w+|(?<=sign-in=)\w+|(?<=whsec_)\S{44}/g, 'SECRET')
    .replace(/127\.0\.0\.1:\d+/g, 'ADDRESS');
}
