import { fileURLToPath } from 'node:url';
import type { TracedFolder } from './trace-path.ts';

export const ARCHITECTURE_FILE = fileURLToPath(
  new URL('../../../../ARCHITECTURE.md', import.meta.url),
);

const BEGIN = '<!-- request -->\n';
const END = '\n<!-- /request -->';

/** The page with the files of a request. It names no functions, so that a change inside a file does not change it. */
export function withRequestPath(page: string, folders: readonly TracedFolder[]): string {
  const [before = '', rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return `${before}${BEGIN}${sectionOf(folders)}${END}${after}`;
}

function sectionOf(folders: readonly TracedFolder[]): string {
  const rows = folders.map(({ folder, files }) => {
    const names = files.map(({ file }) => `\`${file.replace(/\.ts$/, '')}\``);
    return `| \`${folder}\` | ${names.join(' ')} |`;
  });
  const count = folders.reduce((sum, { files }) => sum + files.length, 0);
  return `\n| folder | its files in the path (${count} in all) |\n| --- | --- |\n${rows.join('\n')}\n`;
}
