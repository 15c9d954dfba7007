import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BLOCK_END } from '../pages/read-page-blocks.ts';
import { requestPages, silentBlocks } from '../pages/request-tabs.ts';
import type { Report } from './run-pages.ts';
import type { Sample } from './start-sample.ts';

/** Runs the requests in Python of each page as one program. Each block prints an answer. */
export function runPythonTabs(
  python: string,
  { sample, folder, report }: { sample: Sample; folder: string; report: Report },
): void {
  const end = `print(${JSON.stringify(BLOCK_END)}, end="", flush=True)`;
  for (const requests of requestPages('python')) {
    const program = join(folder, 'page_requests.py');
    const { page, setUp, blocks } = requests;
    writeFileSync(program, [setUp, ...blocks.flatMap(({ code }) => [code, end])].join('\n'));
    const { status, stdout, stderr } = spawnSync(python, [program], {
      cwd: folder,
      env: { ...process.env, ...sample.environment },
      encoding: 'utf8',
    });
    const silent = silentBlocks(requests, stdout);
    const isGood = status === 0 && silent.length === 0;
    report(`${page}: ${blocks.length} requests in Python`, isGood, [stderr, ...silent].join('\n'));
  }
}
