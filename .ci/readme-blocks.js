// Writes the blocks of a Markdown file that are marked `sh` to numbered files. The commands that install,
// start and test are left out; the walk runs them itself.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const [, , readme, directory] = process.argv;
mkdirSync(directory, { recursive: true });
const blocks = [...readFileSync(readme, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .map(([, text]) => text)
  .filter((text) => !text.startsWith('npm ci'));
for (const [index, text] of blocks.entries()) {
  writeFileSync(`${directory}/${String(index + 1).padStart(2, '0')}.sh`, text);
}
