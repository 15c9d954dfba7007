import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BLOCK_END } from '../../locmetrics/test/pages/read-page-blocks.ts';
import { type RequestPage, requestPages } from '../../locmetrics/test/pages/request-tabs.ts';

export type PageProgram = {
  /** The name of its file. */
  readonly name: string;
  readonly requests: RequestPage;
};

const IMPORT = /^import .*$/gm;

/** Writes the requests in TypeScript of each page as one program. A block has names of its own, but no imports. */
export function writePagePrograms(folder: string): readonly PageProgram[] {
  return requestPages('ts').map((requests, index) => {
    const end = `process.stdout.write(${JSON.stringify(BLOCK_END)});`;
    const codes = requests.blocks.map(({ code }) => code);
    const imports = codes.flatMap((code) => code.match(IMPORT) ?? []);
    const blocks = codes.map((code) => `{\n${code.replaceAll(IMPORT, '')}}\n${end}\n`);
    const name = `page${index + 1}.ts`;
    writeFileSync(join(folder, name), [...imports, requests.setUp, ...blocks].join('\n'));
    return { name, requests };
  });
}
