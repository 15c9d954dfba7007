import { BLOCK_END, type PageBlock, pagesWithBlocks, readPageBlocks } from './read-page-blocks.ts';

/** The first block of this page in a language is the set-up that the blocks of all pages continue. */
const SET_UP_PAGE = 'docs/how-to/ask-for-data.md';
/** These pages have a set-up of their own, and are run by `runPythonPages`. */
const OWN_SET_UP = ['docs/how-to/use-from-python.md', 'docs/how-to/get-a-whole-result.md'];

export type RequestPage = {
  readonly page: string;
  readonly setUp: string;
  /** The blocks after the set-up: each prints an answer. */
  readonly blocks: readonly PageBlock[];
};

/** The pages that show requests in a language beside `curl`. */
export function requestPages(language: 'python' | 'ts'): readonly RequestPage[] {
  const [setUp] = readPageBlocks(SET_UP_PAGE, language);
  if (setUp === undefined) throw new Error(`${SET_UP_PAGE} has no block of ${language}.`);
  return pagesWithBlocks(language)
    .filter((page) => !OWN_SET_UP.includes(page))
    .map((page) => {
      const blocks = readPageBlocks(page, language);
      return { page, setUp: setUp.code, blocks: page === SET_UP_PAGE ? blocks.slice(1) : blocks };
    });
}

/** The blocks that printed nothing, in the output of a program that prints `BLOCK_END` after each. */
export function silentBlocks({ blocks }: RequestPage, output: string): readonly string[] {
  const printed = output.split(BLOCK_END);
  return blocks.flatMap(({ code }, index) =>
    index < printed.length - 1 && printed[index]?.trim() !== '' ? [] : [code],
  );
}
