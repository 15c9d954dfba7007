import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { silentBlocks } from '../../locmetrics/test/pages/request-tabs.ts';
import { temporaryFolder } from '../../locmetrics/test/support/temporary-folder.ts';
import { ADMIN_OPERATIONS } from '../src/generated/admin-operations.ts';
import { OPERATIONS } from '../src/generated/operations.ts';
import { STREAM_OPERATIONS } from '../src/generated/stream-operations.ts';
import { writeApiSamples } from './api-samples.ts';
import { useSample } from './open-sample.ts';
import { type PageProgram, writePagePrograms } from './page-programs.ts';
import { type ReadmeExample, writeReadmeExamples } from './readme-examples.ts';
import { COMPILER, runNode } from './run-command.ts';
import { TEST_AUTHORITY, TEST_CERTIFICATE } from './test-certificate.ts';

const FORMAT = /[A-Z][a-z]+(ByBody)?\.ts$/;
/** Far more than npm, the compiler and thirteen processes need on a busy machine. */
const PROCESSES_MS = 5 * 60_000;

/** The examples of the README and of the documentation, with the built package and the sample. */
const { url, data, server } = useSample({ certificate: TEST_CERTIFICATE });

let folder = '';
let examples: readonly ReadmeExample[] = [];
let programs: readonly PageProgram[] = [];
let samples: readonly string[] = [];
beforeAll(async () => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'ca.pem'), TEST_AUTHORITY);
  examples = await writeReadmeExamples(folder, environment());
  programs = writePagePrograms(folder);
  samples = writeApiSamples(folder, JSON.parse((await server().send('/openapi.json')).text));
}, PROCESSES_MS);

const environment = () => ({
  LOCMETRICS_URL: url(),
  LOCMETRICS_TOKEN: data().token,
  LOCMETRICS_ADMIN_TOKEN: data().adminToken,
  LOCMETRICS_ORG: 'demo',
  LOCMETRICS_GRPC_ADDRESS: server().grpcTlsAddress,
  LOCMETRICS_CA_FILE: join(folder, 'ca.pem'),
});

test('the examples of the README run, with the output that they show', {
  timeout: PROCESSES_MS,
  tags: 'slow',
}, async () => {
  expect(examples).toHaveLength(17);
  const shown = examples.filter((example) => example.output !== undefined);
  expect(shown).toHaveLength(13);
  for (const { name, output: expected } of examples) {
    const { code, output, errors } = await runNode([name], {
      folder,
      environment: environment(),
    });
    expect({ name, code, errors }).toEqual({ name, code: 0, errors: '' });
    expect(output).not.toBe('');
    expect(output).toBe(expected ?? output);
  }
});

test('the requests of the documentation run', { timeout: PROCESSES_MS, tags: 'slow' }, async () => {
  for (const { name, requests } of programs) {
    const ended = await runNode([name], { folder, environment: environment() });
    expect({ name, ...ended }).toMatchObject({ name, code: 0, errors: '' });
    expect(silentBlocks(requests, ended.output)).toEqual([]);
  }
});

test('the viewer of the API reference has a sample for each operation of the client', () => {
  const isStream = (name: string) => name.startsWith('stream');
  expect(samples.filter((name) => !isStream(name))).toHaveLength(
    Object.keys(OPERATIONS).length + Object.keys(ADMIN_OPERATIONS).length,
  );
  // Each format of a stream is an operation of the service.
  expect(new Set(samples.filter(isStream).map((name) => name.replace(FORMAT, '')))).toEqual(
    new Set(Object.keys(STREAM_OPERATIONS)),
  );
});

test('the examples of the README, the documentation and the API reference compile', {
  timeout: PROCESSES_MS,
}, async () => {
  const nodeTypes = join(import.meta.dirname, '..', '..', '..', 'node_modules', '@types');
  const compiled = await runNode(
    [
      ...[COMPILER, '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'],
      ...['--typeRoots', nodeTypes, '--types', 'node', '--skipLibCheck'],
      ...[...examples, ...programs].map(({ name }) => name),
      ...samples,
    ],
    { folder },
  );
  expect(compiled).toEqual({ code: 0, output: '', errors: '' });
});

test('the README has no links to files, because a package does not have them', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
  expect(links.filter((link) => !/^(https:|#)/.test(link ?? ''))).toEqual([]);
});
