/**
 * Runs the examples of the client's README in Node 20, Deno and Bun, against a server with the sample:
 * `npm run test:runtimes`. It needs the npm registry, from which it installs them into a temporary folder. It reports
 * what is missing and skips those tests. The last line of the output is `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSample } from '../../../server/test/clients/start-sample.ts';
import { writeReadmeExamples } from '../readme-examples.ts';
import { COMPILER } from '../run-command.ts';

const NODE_20 = `node-${process.platform}-${process.arch}`;
const PACKAGES = [`${NODE_20}@20.20.2`, 'deno@2.9.6', 'bun@1.4.5'];

const workspace = mkdtempSync(join(tmpdir(), 'locmetrics-runtimes-'));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
process.once('exit', () => rmSync(workspace, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const counts = { passed: 0, failed: 0 };
const tools = join(workspace, 'tools');
mkdirSync(tools);
writeFileSync(join(tools, 'package.json'), '{}');
const installed = spawnSync('npm', ['install', ...PACKAGES, '--no-audit', '--no-fund'], {
  cwd: tools,
  encoding: 'utf8',
});
if (installed.status === 0) {
  const sample = await startSample(workspace);
  await runExamples(sample.environment);
  sample.process.kill('SIGTERM');
} else {
  say(`Not tested: ${PACKAGES.join(', ')} could not be installed here.\n${installed.stderr}`);
}
process.exitCode = counts.failed === 0 ? 0 : 1;
say(`${counts.passed} passed, ${counts.failed} failed`);

async function runExamples(environment: Readonly<Record<string, string>>): Promise<void> {
  const folder = join(workspace, 'examples');
  mkdirSync(folder);
  const dependencies = { '@locmetrics/client': '0.1.0' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }));
  const examples = await writeReadmeExamples(folder, environment);
  // Node 20 does not strip types.
  spawnSync(
    process.execPath,
    [
      ...[COMPILER, '--target', 'es2022', '--module', 'nodenext', '--noCheck'],
      ...examples.map(({ name }) => name),
    ],
    { cwd: folder, stdio: 'inherit' },
  );
  const bin = join(tools, 'node_modules', '.bin');
  for (const { name, output } of examples) {
    const compiled = name.replace(/\.ts$/, '.js');
    const runtimes = {
      'Node 20': [join(tools, 'node_modules', NODE_20, 'bin', 'node'), compiled],
      Deno: [join(bin, 'deno'), 'run', '--allow-net', '--allow-env', '--no-check', name],
      Bun: [join(bin, 'bun'), name],
    };
    for (const [runtime, [program = '', ...args]] of Object.entries(runtimes)) {
      const ended = spawnSync(program, args, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, ...environment },
      });
      const isGood =
        ended.status === 0 &&
        ended.stdout !== '' &&
        (output === undefined || bare(ended.stdout) === bare(output));
      counts[isGood ? 'passed' : 'failed'] += 1;
      say(
        isGood
          ? `ok    ${name} in ${runtime}`
          : `FAIL  ${name} in ${runtime}\n${ended.stdout}${ended.stderr}`,
      );
    }
  }
}

/** Runtimes print objects with other spaces, quotes and commas. */
function bare(text: string): string {
  return text.replace(/\s+|,|['"]/g, '');
}
