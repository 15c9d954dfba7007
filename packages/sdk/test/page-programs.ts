import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BLOCK_END } from '../../locmetrics/test/pages/read-page-blocks.ts';
import { type RequestPage, requestPages } from '../../locmetrics/test/pages/request-tabs.ts';

export type PageProgram = {
  /** The name of its file. */
  readonly name: string;
  readonly requests: RequestPage;
};

/** Writes the requests in TypeScript of each page as one program. A block has names of its own. */
export function writePagePrograms(folder: string): readonly PageProgram[] {
  return requestPages('ts').map((requests, index) => {
    const end = `process.stdout.write(${JSON.stringify(BLOCK_END)});`;
    const blocks = requests.blocks.map(({ code }) => `{\n${code}}\n${end}\n`);
    const name = `page${index + 1}.ts`;
    writeFileSync(join(folder, name), [requests.setUp, ...blocks].join('\n'));
    return { name, requests };
  });
}
