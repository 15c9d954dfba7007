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

type PageRun = {
  readonly sample: Sample;
  readonly folder: string;
  readonly report: Report;
  readonly say: (text: string) => void;
};

/** A language of the blocks of a page. */
type Language = {
  readonly name: string;
  /** The program and its arguments before the name of a file. */
  readonly command: readonly string[];
  /** A statement that prints a text and no end of line. */
  readonly print: (text: string) => string;
};

/** Runs the blocks of the pages with a program in Python, and those in R where there is one, and compares what each prints. */
export function runPages(python: string, options: PageRun): void {
  const inPython: Language = {
    name: 'python',
    command: [python, '-W', 'ignore'],
    print: (text) => `print(${JSON.stringify(text)}, end="", flush=True)`,
  };
  runCommands(python, PAGE, options);
  runBlocks(inPython, PAGE, options);
  const [setUp] = readPageBlocks(PAGE, 'python');
  const { sample, report } = options;
  const program = `${setUp?.code}${CHECK_OF_WAITING}`;
  const limited = runProgram(inPython, program, options, limitedCaller(sample));
  const isGood = limited.stdout === '4 True\n';
  report(`${PAGE}: waits for a limit`, isGood, `${limited.stdout}${limited.stderr}`);
  runCommands(python, WHOLE_RESULT_PAGE, options);
  runBlocks(inPython, WHOLE_RESULT_PAGE, options);
  const inR: Language = {
    name: 'r',
    command: ['Rscript', '--vanilla'],
    print: (text) => `cat(${JSON.stringify(text)})`,
  };
  if (spawnSync('Rscript', ['--version']).status === 0) runBlocks(inR, WHOLE_RESULT_PAGE, options);
  else options.say('Not tested: the examples in R, because there is no R here.');
}

/** Runs the commands of a page, of which some install what its blocks need. */
function runCommands(python: string, page: string, { sample, folder, report }: PageRun): void {
  for (const { code, output } of readPageBlocks(page, 'sh')) {
    const command = code.replace(/^pip /, `${python} -m pip -q `);
    const ended = spawnSync('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: folder,
      encoding: 'utf8',
      // Of thousands of modules the page imports few, which are then compiled.
      env: { ...process.env, PIP_NO_COMPILE: '1', ...sample.environment },
    });
    const isShown = output === undefined || asShown(ended.stdout) === output;
    const isGood = ended.status === 0 && isShown;
    report(titleOf(page, code), isGood, `${ended.stdout}\n${ended.stderr}`);
  }
}

/** Runs the blocks of a page in a language as one program. */
function runBlocks(language: Language, page: string, options: PageRun): void {
  const blocks = readPageBlocks(page, language.name);
  const end = `${language.print(BLOCK_END)}\n`;
  const program = blocks.map(({ code }) => `${code}\n${end}`).join('\n');
  const ended = runProgram(language, program, options, {});
  const printed = ended.stdout.split(BLOCK_END).map(asShown);
  for (const [index, { code, output = '' }] of blocks.entries()) {
    const isRun = index < printed.length - 1;
    const details = `${printed[index] ?? ''}\n${ended.stderr}`;
    options.report(titleOf(page, code), isRun && printed[index] === output, details);
  }
}

function titleOf(page: string, code: string): string {
  const [first = ''] = code.split('\n');
  return `${page}: ${first}`;
}

function runProgram(
  { command: [program = '', ...args] }: Language,
  code: string,
  { sample, folder }: PageRun,
  environment: Readonly<Record<string, string>>,
) {
  const file = join(folder, 'page');
  writeFileSync(file, code);
  return spawnSync(program, [...args, file], {
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
