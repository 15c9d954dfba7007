import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BLOCK_END, readPageBlocks } from '../pages/read-page-blocks.ts';
import { runOnSample, type Sample } from './start-sample.ts';

const PAGE = 'docs/how-to/use-from-python.md';
/** More requests than an organisation with limits may send at once. */
const CHECK_OF_WAITING = `
began = time.monotonic()
for _ in range(4):
    catalogs = send("GET", "/v1/catalogs")["catalogsList"]
print(len(catalogs), time.monotonic() - began > 1)
`;

export type Report = (name: string, isGood: boolean, details: string) => void;

/** Installs what the page of Python installs, runs its blocks as one program, and compares what each prints. */
export function runPythonPage(
  python: string,
  { sample, folder, report }: { sample: Sample; folder: string; report: Report },
): void {
  for (const { code } of readPageBlocks(PAGE, 'sh')) {
    const installed = spawnSync('sh', ['-c', code.replace(/^pip /, `${python} -m pip -q `)], {
      encoding: 'utf8',
      // Of thousands of modules the page imports few, which are then compiled.
      env: { ...process.env, PIP_NO_COMPILE: '1' },
    });
    report(code.trim(), installed.status === 0, installed.stderr);
  }
  const blocks = readPageBlocks(PAGE, 'python');
  const run = (code: string, environment: Readonly<Record<string, string>>) => {
    const program = join(folder, 'page.py');
    writeFileSync(program, code);
    return spawnSync(python, ['-W', 'ignore', program], {
      cwd: folder,
      env: { ...process.env, MPLBACKEND: 'agg', ...sample.environment, ...environment },
      encoding: 'utf8',
    });
  };
  const end = `print(${JSON.stringify(BLOCK_END)}, end="", flush=True)\n`;
  const ended = run(blocks.map(({ code }) => `${code}\n${end}`).join('\n'), {});
  const printed = ended.stdout.split(BLOCK_END).map(asShown);
  for (const [index, { code, output = '' }] of blocks.entries()) {
    const isRun = index < printed.length - 1;
    const [first = ''] = code.split('\n');
    const details = `${printed[index] ?? ''}\n${ended.stderr}`;
    report(`${PAGE}: ${first}`, isRun && printed[index] === output, details);
  }
  const [setUp] = blocks;
  const limited = run(`${setUp?.code}${CHECK_OF_WAITING}`, limitedCaller(sample));
  const isGood = limited.stdout === '4 True\n';
  report(`${PAGE}: waits for a limit`, isGood, `${limited.stdout}${limited.stderr}`);
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
