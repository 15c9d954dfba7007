/**
 * Tests the OpenAPI document with tools that others have published, against a server of its own with the
 * sample: `npm run test:api-description`. It is linted by Redocly; clients made of it by openapi-typescript
 * and openapi-python-client make every call; Schemathesis makes up requests by it and checks the answers.
 *
 * Needs the registry of npm, Python 3 and the Python Package Index; what is missing is said, and not tested.
 * `LOCMETRICS_TEST_CASES` is how many requests Schemathesis makes up at least (default 400; from 2,000 on it goes
 * through the values and combinations of each schema too), and `LOCMETRICS_TEST_SEED` repeats a run. Ends its output with `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPython } from '../clients/install-python.ts';
import { runOnSample, startSample } from '../clients/start-sample.ts';

const FOLDER = import.meta.dirname;
const NPM_PACKAGES = [
  'openapi-fetch@0.17.0',
  'openapi-typescript@7.13.0',
  '@redocly/cli@2.77.0',
  'typescript@5.9.3',
];
const PYTHON_PACKAGES = ['openapi-python-client==0.29.1', 'schemathesis==4.32.5'];

/** Those of the document that requests are made up of. */
const OPERATIONS = 18;

const cases = Number(process.env['LOCMETRICS_TEST_CASES'] ?? 400);
const isSystematic = cases >= 2000;
/** Of 5,000 requests and more, some 4,000 are systematic. */
const randomCases = isSystematic ? cases / 5 : cases;
const seed = Number(process.env['LOCMETRICS_TEST_SEED'] ?? randomInt(2 ** 31));

const workspace = mkdtempSync(join(tmpdir(), 'locmetrics-api-description-'));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

process.once('exit', () => rmSync(workspace, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const counts = { passed: 0, failed: 0 };
const modules = installModules();
const programs = installPython(workspace, PYTHON_PACKAGES, say);
if (modules !== undefined || programs !== undefined) {
  const sample = await startSample(workspace);
  const url = sample.environment['LOCMETRICS_URL'] ?? '';
  const document = join(workspace, 'openapi.json');
  writeFileSync(document, await (await fetch(`${url}/openapi.json`)).text());
  const created = runOnSample(sample, [
    ...['token', 'create', '--org', 'demo', '--name', 'admin', '--scope', 'admin', '--json'],
  ]);
  const tools: Tools = {
    document,
    environment: {
      ...process.env,
      ...sample.environment,
      ADMIN_TOKEN: JSON.parse(created).token,
      PYTHONDONTWRITEBYTECODE: '1',
      REDOCLY_TELEMETRY: 'off',
    },
  };
  if (modules !== undefined) {
    lint(modules, tools);
    callFromTypescript(modules, tools);
  }
  if (programs !== undefined) {
    callFromPython(programs, tools);
    makeUpRequests(programs, tools);
  }
  sample.process.kill('SIGTERM');
}
process.exitCode = counts.failed === 0 ? 0 : 1;
say(`${counts.passed} passed, ${counts.failed} failed`);

type Tools = {
  /** The path of the document. */
  readonly document: string;
  readonly environment: NodeJS.ProcessEnv;
};

/** The folder of the packages of npm; undefined where they cannot be had. */
function installModules(): string | undefined {
  const folder = join(workspace, 'typescript');
  cpSync(join(FOLDER, 'client'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const npm = (args: readonly string[]) =>
    spawnSync('npm', [...args, '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: folder,
      encoding: 'utf8',
    });
  const [first = ''] = NPM_PACKAGES;
  // The release exists, so it can be fetched wherever the registry is reached.
  const fetched = npm(['pack', first]);
  if (fetched.status !== 0) {
    say(`Not tested: the registry of npm is not reached here.\n${fetched.stderr}`);
    return undefined;
  }
  say(`Installing ${NPM_PACKAGES.join(' and ')}`);
  const installed = npm(['install', ...NPM_PACKAGES]);
  if (installed.status === 0) return folder;
  throw new Error(`The packages could not be installed:\n${installed.stderr}`);
}

function lint(folder: string, { document, environment }: Tools): void {
  const cli = join(folder, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const config = join(FOLDER, 'redocly.yaml');
  check('redocly lint', [process.execPath, cli, 'lint', document, '--config', config], environment);
}

function callFromTypescript(folder: string, { document, environment }: Tools): void {
  const [bin, api] = [join(folder, 'node_modules', '.bin'), join(folder, 'api.d.ts')];
  const isMade = check(
    'openapi-typescript makes types',
    [join(bin, 'openapi-typescript'), document, '-o', api],
    environment,
  );
  if (!isMade) return;
  const types = fileURLToPath(new URL('../..', import.meta.resolve('@types/node/package.json')));
  check(
    'a client of these types is type-checked',
    [join(bin, 'tsc'), '-p', folder, '--typeRoots', join(types, '@types')],
    environment,
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--test', '--test-reporter', 'tap', join(folder, 'every-call.test.ts')],
    { env: environment, encoding: 'utf8' },
  );
  count('every call from TypeScript', {
    passed: Number(/^# pass ([0-9]+)$/m.exec(stdout)?.[1] ?? 0),
    isGood: status === 0,
    output: `${stdout}${stderr}`,
  });
}

function callFromPython(programs: string, { document, environment }: Tools): void {
  const client = join(workspace, 'client');
  mkdirSync(client);
  const output = join(client, 'locmetrics_client');
  const isMade = check(
    'openapi-python-client makes a client, of all operations',
    [
      join(programs, 'openapi-python-client'),
      ...['generate', '--path', document, '--output-path', output, '--meta', 'none'],
    ],
    environment,
    // It goes on without an operation or a schema that it cannot read.
    (text) => !/unable to parse|cannot parse|not supported|unsupported/i.test(text),
  );
  if (!isMade) return;
  const { status, stderr } = spawnSync(
    join(programs, 'python'),
    ['-m', 'unittest', 'discover', '-v', '-s', join(FOLDER, 'client'), '-p', '*_test.py'],
    { env: { ...environment, PYTHONPATH: client }, encoding: 'utf8' },
  );
  count('every call from Python', {
    passed: [...stderr.matchAll(/\.\.\. ok$/gm)].length,
    isGood: status === 0,
    output: stderr,
  });
}

/** Those of the organisation first: as the operator, requests end its grants and set its limits. */
function makeUpRequests(programs: string, { document, environment }: Tools): void {
  const {
    LOCMETRICS_URL: url = '',
    LOCMETRICS_TOKEN: token,
    ADMIN_TOKEN: adminToken,
  } = environment;
  say(
    `Schemathesis makes up ${cases} requests or more; LOCMETRICS_TEST_SEED=${seed} repeats them.`,
  );
  let total = 0;
  const run = (name: string, bearer: string | undefined, selection: readonly string[]) => {
    const args = [
      ...['--config-file', join(FOLDER, 'schemathesis.toml'), 'run', document, '--url', url],
      ...['--header', `Authorization: Bearer ${bearer}`, '--checks', 'all'],
      ...['--seed', String(seed), '--max-examples', String(Math.ceil(randomCases / OPERATIONS))],
      ...[
        '--continue-on-failure',
        '--no-color',
        '--workers',
        '2',
        '--suppress-health-check',
        'all',
      ],
      ...['--phases', `examples,${isSystematic ? 'coverage,' : ''}fuzzing,stateful`],
      ...selection,
    ];
    const { status, stdout, stderr } = spawnSync(join(programs, 'schemathesis'), args, {
      cwd: workspace,
      env: { ...environment, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: FOLDER },
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const generated = Number(/([0-9]+) generated/.exec(stdout)?.[1] ?? 0);
    total += generated;
    const isGood = status === 0 && generated > 0;
    count(`${generated} requests ${name}`, {
      passed: 1,
      isGood,
      output: `${stdout.slice(Math.max(stdout.search(/^=+ (ERRORS|FAILURES) =+$/m), 0))}${stderr}`,
    });
  };
  run('of the organisation', token, [
    ...['--include-tag', 'catalog', '--include-tag', 'metrics'],
    ...['--include-operation-id', 'readUsage'],
  ]);
  run('of the operator', adminToken, [
    ...['--include-tag', 'admin', '--include-operation-id', 'readUsageOfAll'],
    // They would end the token that the requests are made with.
    ...['--exclude-operation-id', 'rotateToken', '--exclude-operation-id', 'revokeToken'],
  ]);
  count(`${cases} requests or more`, {
    passed: 1,
    isGood: total >= cases,
    output: `Schemathesis made up only ${total} requests.`,
  });
}

/** Runs a program that is one test; whether it succeeded. */
function check(
  name: string,
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  isGood: (output: string) => boolean = () => true,
): boolean {
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
  const output = `${stdout}${stderr}`;
  const succeeded = status === 0 && isGood(output);
  count(name, { passed: 1, isGood: succeeded, output });
  return succeeded;
}

function count(
  name: string,
  result: { readonly passed: number; readonly isGood: boolean; readonly output: string },
): void {
  if (result.isGood) {
    counts.passed += result.passed;
    say(`ok    ${name}`);
  } else {
    counts.failed += 1;
    say(`FAIL  ${name}\n${result.output}`);
  }
}
