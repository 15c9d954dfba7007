import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/**
 * Installs a packed package in an empty folder and starts its demo, as a user without a clone does:
 *
 *   node packages/locmetrics/scripts/try-package.ts FILE.tgz
 *
 * npm must print no warning, because each one makes a new user wonder what is wrong.
 */
const [, , file] = process.argv;
assert(file !== undefined, 'Name the packed package: try-package.ts FILE.tgz');
const tarball = resolve(file);
assert(existsSync(tarball), `${tarball} does not exist. Make it with \`npm pack\`.`);

/** Of what is installed. A clone with its tools has 900 MB. */
const SIZE_MAX_MB = 250;
const START_TIMEOUT_MS = 300_000;

const workspace = mkdtempSync(join(tmpdir(), 'locmetrics-package-'));
const folder = join(workspace, 'empty');
try {
  mkdirSync(folder);
  const environment = bareEnvironment();
  install(environment);
  const megabytes = Math.round(diskBytes(join(folder, 'node_modules')) / 1e6);
  assert(megabytes <= SIZE_MAX_MB, `${megabytes} MB are installed, more than ${SIZE_MAX_MB}.`);
  const mistyped = runToEnd('npx', ['locmetrics', 'publsh'], environment);
  assert.match(mistyped.output, /See: npx locmetrics --help/);
  await askDemo(environment);
  process.stdout.write(
    `${file}: installed without warnings, ${megabytes} MB; the demo answers in an empty folder\n`,
  );
} finally {
  rmSync(workspace, { recursive: true, force: true });
}

/** This Node alone: neither the commands of the clone, nor what an npm script around this one has set. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const bin = join(workspace, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((directory) => !directory.includes('node_modules'));
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      /^npm_config_(registry|cache|userconfig)$/.test(name) ||
      !/^(npm_|LOCMETRICS_|NODE_OPTIONS$)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: [bin, ...path].join(delimiter),
    LOCMETRICS_HTTP: '127.0.0.1:0',
    LOCMETRICS_GRPC: '127.0.0.1:0',
  };
}

function install(environment: NodeJS.ProcessEnv): void {
  const { status, output } = runToEnd('npm', ['install', '--prefer-offline', tarball], environment);
  assert.equal(status, 0, `npm install failed:\n${output}`);
  assert.doesNotMatch(output, /warn|deprecated|EBADENGINE/i, `npm install warned:\n${output}`);
}

function runToEnd(
  command: string,
  parameters: readonly string[],
  env: NodeJS.ProcessEnv,
): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(command, parameters, {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

/** The demo publishes its sample, unless there is a data directory that has it. */
async function askDemo(env: NodeJS.ProcessEnv): Promise<void> {
  const data = join(folder, '.locmetrics');
  const published = process.env['LOCMETRICS_TEST_SAMPLE'];
  if (published !== undefined) cpSync(published, data, { recursive: true });
  // A group of its own, so that npx, the service and its workers can be stopped together.
  const demo = spawn('npx', ['locmetrics', 'demo'], { cwd: folder, env, detached: true });
  const ended = once(demo, 'close');
  try {
    const text = await welcomeOf(demo);
    assert(text.includes('.locmetrics'), `The demo does not say where its data are:\n${text}`);
    const variables = new Map(
      [...readFileSync(join(data, 'demo.env'), 'utf8').matchAll(/^(LOCMETRICS_\w+)=(.*)$/gm)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    );
    const url = variables.get('LOCMETRICS_URL') ?? '';
    const explorer = await fetch(`${url}/`);
    assert.match(await explorer.text(), /<html/);
    const answer = await fetch(`${url}/v3/catalog/listDataReferences`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${variables.get('LOCMETRICS_TOKEN')}` },
    });
    assert.match(await answer.text(), /cafes\.places/);
  } finally {
    if (demo.pid !== undefined && demo.exitCode === null) process.kill(-demo.pid, 'SIGTERM');
    await ended;
  }
}

/** What the demo prints until it can be stopped. */
async function welcomeOf(demo: ChildProcess): Promise<string> {
  let text = '';
  const welcomed = new Promise<void>((ready, fail) => {
    const add = (chunk: Buffer): void => {
      text += chunk.toString();
      if (text.includes('Ctrl+C')) ready();
    };
    demo.stdout?.on('data', add);
    demo.stderr?.on('data', add);
    demo.once('error', fail);
    demo.once('close', (code) => fail(new Error(`The demo ended with code ${code}:\n${text}`)));
    AbortSignal.timeout(START_TIMEOUT_MS).addEventListener('abort', () =>
      fail(new Error(`The demo did not start:\n${text}`)),
    );
  });
  await welcomed;
  return text;
}

function diskBytes(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(directory, name)).blocks * 512)
    .reduce((sum, bytes) => sum + bytes, 0);
}
