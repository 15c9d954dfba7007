/**
 * Runs the examples of the client's README, and `checks.ts`, in Node 20, Deno, Bun and Chromium, against a server with
 * the sample: `npm run test:runtimes`. Examples for Node only are left out. The first three come from the npm registry;
 * the browser must be installed. It reports what is missing and skips those tests. The last
 * line of the output is `N passed, N failed`.
 */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findChromium } from '../../../locmetrics/test/browser/find-chromium.ts';
import { startSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { prepareRun } from '../../../locmetrics/test/support/prepare-run.ts';
import { keepRuntimes, NODE_20 } from '../../../locmetrics/test/tools/tools.ts';
import { writeReadmeExamples } from '../readme-examples.ts';
import { COMPILER } from '../run-command.ts';
import { type Ended, openBrowserRuntime } from './open-browser-runtime.ts';
import { prepareChecks } from './prepare-checks.ts';
import { serveBrokenStreams } from './serve-broken-streams.ts';
import { servePages } from './serve-pages.ts';

type Program = { readonly name: string; readonly output: string | undefined };

const CHECKS: Program = {
  name: 'checks.ts',
  output: `540 records on 6 pages
TooManyRowsError: 540
566535 767956 774296 People
540 records in a stream, 541 lines of CSV, 1 record until the break
plain: ConnectionError after 1 record
gzip: ConnectionError after 1 record
Tiles to zoom 16 at the service/v3/catalog/ml_visitation.places/tiles/{z}/{x}/{y}.mvt?billingContext=demo
ServiceError 401 TOKEN_EXPIRED: Ask the data owner for a new one. The time is by the clock of the service.
PageTokenExpiredError 400 PAGE_TOKEN_EXPIRED: Send the request without a page token to start again on the current data.
The page token has expired: the rights of the caller changed.
ServiceError 429 LIMIT_EXCEEDED: Send fewer requests a second. The header RateLimit contains how many are left.
requestsPerSecond, with a time to wait: true
The reason of the signal is thrown after 30 values: true
AbortError
ConnectionError: true
`,
};

const { workspace, say, report, end } = prepareRun();

const folder = join(workspace, 'examples');
mkdirSync(folder);
const pages = await servePages(folder);
const sample = await startSample(workspace, { LOCMETRICS_CORS_ORIGINS: pages.origin });
const broken = await serveBrokenStreams();
const environment = {
  ...sample.environment,
  ...(await prepareChecks(sample)),
  BROKEN_URL: broken.url,
};
const programs = await writePrograms();
await runInOtherRuntimes();
await runInBrowser();
await pages.close();
await broken.close();
sample.process.kill('SIGTERM');
end();

/** Writes the programs as TypeScript and, because Node 20 and browsers do not strip types, as JavaScript. */
async function writePrograms(): Promise<readonly Program[]> {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const examples = await writeReadmeExamples(folder, environment);
  cpSync(join(import.meta.dirname, CHECKS.name), join(folder, CHECKS.name));
  const written = [...examples.filter(({ isForNode }) => !isForNode), CHECKS];
  spawnSync(
    process.execPath,
    [
      ...[COMPILER, '--target', 'es2022', '--module', 'nodenext', '--noCheck'],
      ...written.map(({ name }) => name),
    ],
    { cwd: folder, stdio: 'inherit' },
  );
  return written;
}

async function runInOtherRuntimes(): Promise<void> {
  const tools = keepRuntimes(say);
  if (tools === undefined) return;
  const bin = join(tools, 'node_modules', '.bin');
  const node = join(tools, 'node_modules', NODE_20, 'bin', 'node');
  for (const program of programs) {
    const compiled = program.name.replace(/\.ts$/, '.js');
    const deno = ['run', '--allow-net', '--allow-env', '--no-check', program.name];
    check(program, 'Node 20', await runCommand(node, [compiled]));
    check(program, 'Deno', await runCommand(join(bin, 'deno'), deno));
    check(program, 'Bun', await runCommand(join(bin, 'bun'), [program.name]));
  }
}

async function runCommand(command: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...environment } });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { output, errors: code === 0 ? '' : `exit code ${code}\n${errors}` };
}

async function runInBrowser(): Promise<void> {
  const found = findChromium();
  if (found.path === undefined) {
    say(`Not tested in a browser: ${found.reason}.`);
    return;
  }
  const browser = await openBrowserRuntime({ program: found.path, folder, environment });
  const runtime = `Chromium ${browser.version}`;
  for (const program of programs) {
    check(program, runtime, await browser.run(program.name, pages.origin));
  }
  const files = [...pages.loaded].filter((path) => path.includes('/node_modules/'));
  report(
    `${files.length} files of the package are loaded, none of its entry for Node`,
    files.length > 0 && files.every((path) => !/\/src\/(node|generated\/messages)\//.test(path)),
    files.join('\n'),
  );
  const elsewhere = await servePages(folder);
  const refused = await browser.run(programs[0]?.name ?? '', elsewhere.origin);
  report(
    `A page of an origin that is not allowed gets no answer in ${runtime}`,
    refused.errors.startsWith('ConnectionError: ') &&
      refused.errors.includes(`it does not allow pages of ${elsewhere.origin}`),
    refused.errors,
  );
  await elsewhere.close();
  await browser.close();
}

function check({ name, output: expected }: Program, runtime: string, ended: Ended): void {
  const { output, errors } = ended;
  const isAsExpected = expected === undefined || bare(output) === bare(expected);
  const isGood = errors === '' && output !== '' && isAsExpected;
  report(`${name} in ${runtime}`, isGood, `${output}${errors}`);
}

/** Runtimes print objects with other spaces, quotes and commas. */
function bare(text: string): string {
  return text.replace(/\s+|,|['"]/g, '');
}
