import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type PageBlock = {
  readonly code: string;
  /** The output that the page promises: the block `text` right after it. Undefined: it says nothing. */
  readonly output: string | undefined;
};

/** Cuts the output of a script with all blocks of a page into those of each. */
export const BLOCK_END = '\u0001';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The guides and reference pages with blocks of the language, sorted. */
export function pagesWithBlocks(language: string): readonly string[] {
  return globSync('docs/{how-to,reference}/**/*.md', { cwd: ROOT })
    .filter((page) => readPageBlocks(page, language).length > 0)
    .sort();
}

/** The blocks of a page of the repository that are marked with the language, in their order. */
export function readPageBlocks(page: string, language: string): readonly PageBlock[] {
  const text = readFileSync(`${ROOT}${page}`, 'utf8');
  const blocks = new RegExp(
    `^\`\`\`${language}\\n(.*?)^\`\`\`$(?:\\n\\n\`\`\`text\\n(.*?)^\`\`\`$)?`,
    'gms',
  );
  return [...text.matchAll(blocks)].map(([, code = '', output]) => ({ code, output }));
}
