import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BLOCK_END, readPageBlocks } from '../pages/read-page-blocks.ts';
import { runOnSample, type Sample } from './start-sample.ts';

const PAGE = 'docs/how-to/use-from-python.md';
const WHOLE_RESULT_PAGE = 'docs/how-to/get-a-whole-result.md';
/** More requests than an organisation with limits may send at once. */
const CHECK_OF_WAITING = `
began = time.monotonic()
for _ in range(4):
    catalogs = send("GET", "/v1/catalogs")["catalogsList"]
print(len(catalogs), time.monotonic() - began > 1)
`;

export type Report = (name: string, isGood: boolean, details: string) => void;

type PageRun = { readonly sample: Sample; readonly folder: string; readonly report: Report };

/** Runs the blocks of the pages with a program in Python, and compares what each prints. */
export function runPythonPages(python: string, options: PageRun): void {
  runPage(python, PAGE, options);
  const [setUp] = readPageBlocks(PAGE, 'python');
  const { sample, report } = options;
  const program = `${setUp?.code}${CHECK_OF_WAITING}`;
  const limited = runProgram(python, program, options, limitedCaller(sample));
  const isGood = limited.stdout === '4 True\n';
  report(`${PAGE}: waits for a limit`, isGood, `${limited.stdout}${limited.stderr}`);
  runPage(python, WHOLE_RESULT_PAGE, options);
}

/** Runs the commands of a page, of which some install what it needs, and then its blocks in Python as one program. */
function runPage(python: string, page: string, options: PageRun): void {
  const { sample, folder, report } = options;
  const reportBlock = (code: string, isGood: boolean, details: string): void => {
    const [first = ''] = code.split('\n');
    report(`${page}: ${first}`, isGood, details);
  };
  for (const { code, output } of readPageBlocks(page, 'sh')) {
    const command = code.replace(/^pip /, `${python} -m pip -q `);
    const ended = spawnSync('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: folder,
      encoding: 'utf8',
      // Of thousands of modules the page imports few, which are then compiled.
      env: { ...process.env, PIP_NO_COMPILE: '1', ...sample.environment },
    });
    const isShown = output === undefined || asShown(ended.stdout) === output;
    reportBlock(code, ended.status === 0 && isShown, `${ended.stdout}\n${ended.stderr}`);
  }
  const blocks = readPageBlocks(page, 'python');
  const end = `print(${JSON.stringify(BLOCK_END)}, end="", flush=True)\n`;
  const program = blocks.map(({ code }) => `${code}\n${end}`).join('\n');
  const ended = runProgram(python, program, options, {});
  const printed = ended.stdout.split(BLOCK_END).map(asShown);
  for (const [index, { code, output = '' }] of blocks.entries()) {
    const isRun = index < printed.length - 1;
    const details = `${printed[index] ?? ''}\n${ended.stderr}`;
    reportBlock(code, isRun && printed[index] === output, details);
  }
}

function runProgram(
  python: string,
  code: string,
  { sample, folder }: PageRun,
  environment: Readonly<Record<string, string>>,
) {
  const program = join(folder, 'page.py');
  writeFileSync(program, code);
  return spawnSync(python, ['-W', 'ignore', program], {
    cwd: folder,
    env: { ...process.env, MPLBACKEND: 'agg', ...sample.environment, ...environment },
    encoding: 'utf8',
  });
}

/** Without the spinner of `unacatlib`, which a terminal overwrites, and without spaces at the ends of lines. */
function asShown(output: string): string {
  const lines = output.split('\n').map((line) => line.slice(line.lastIndexOf('\r') + 1));
  return lines.map((line) => line.trimEnd()).join('\n');
}

function limitedCaller(sample: Sample): Readonly<Record<string, string>> {
  runOnSample(sample, ['org', 'create', 'Limited', '--id', 'limited']);
  runOnSample(sample, ['grant', 'add', 'limited', '*/*']);
  const limits = ['--requests-per-second', '2', '--burst', '1'];
  runOnSample(sample, ['limits', 'set', 'limited', ...limits]);
  const token = runOnSample(sample, ['token', 'create', '--org', 'limited', '--name', 'page']);
  return { LOCMETRICS_TOKEN: token.trim() };
}
