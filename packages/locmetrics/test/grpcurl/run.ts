/**
 * Tests the gRPC interface with `grpcurl`, over TLS and in plaintext, against a server with the sample:
 * `npm run test:grpcurl`. It sends the examples of the documentation. It needs Go and its module proxy. If one of
 * them is missing, it says so and tests nothing. The last line of the output is `N passed, N failed`.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOnSample, startSample } from '../clients/start-sample.ts';
import { prepareRun } from '../support/prepare-run.ts';
import { keepGrpcurl } from '../tools/tools.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..', '..', '..');
const REFERENCE = join(REPOSITORY, 'docs', 'reference', 'grpc-interface.md');
const GUIDE = join(REPOSITORY, 'docs', 'how-to', 'ask-for-data.md');
const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'trips', 'locmetrics.yaml');

const SERVICES = [
  'grpc.health.v1.Health',
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
  'locmetrics.v1.Aggregates',
  'unacast.catalog.v1.CatalogService',
  'unacast.catalog.v1.FileDownloadService',
  'unacast.catalog.v1.QueryService',
  'unacast.catalog.v3.CatalogQuery',
  'unacast.catalog.v3.Export',
  'unacast.catalog.v3alpha.CatalogQuery',
  'unacast.maps.v1.MapService',
];
/** The exit code of grpcurl is 64 plus the number of the status. */
const ENDED_WITH = { invalidArgument: 67, deadlineExceeded: 68, unauthenticated: 80 };

const { workspace, say, count, end } = prepareRun();

const tools = keepGrpcurl(say);
if (tools !== undefined) {
  const sample = await startSample(workspace);
  const { process: server, environment } = sample;
  // The sample has no dimension.
  runOnSample(sample, ['publish', FIXTURE]);
  const { LOCMETRICS_GRPC_ADDRESS: tls = '', LOCMETRICS_GRPC_PLAINTEXT_ADDRESS: plaintext = '' } =
    environment;
  const { LOCMETRICS_CA_FILE: authority = '', LOCMETRICS_TOKEN: token = '' } = environment;
  testServer({ name: 'TLS', channel: ['-cacert', authority], address: tls, token });
  testServer({ name: 'plaintext', channel: ['-plaintext'], address: plaintext, token });
  testBlocks(environment);
  server.kill('SIGTERM');
}
end();

type Target = {
  readonly name: string;
  readonly channel: readonly string[];
  readonly address: string;
  readonly token: string;
};

type Outcome = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

function testServer({ name, channel, address, token }: Target): void {
  const bearer = `authorization: Bearer ${token}`;
  const withToken = [...channel, '-H', bearer];
  const withoutToken = [...channel, '-reflect-header', bearer];
  const ask = (flags: readonly string[], ...asked: readonly string[]): Outcome =>
    run([...flags, address, ...asked]);

  const listed = ask(withToken, 'list');
  check(`${name}: list`, listed, listed.stdout.trim().split('\n').join() === SERVICES.join());

  // Describes each service, then each message and enum that earlier descriptions name.
  const calls = new Set<string>();
  const described = new Set<string>();
  const waiting = [...SERVICES];
  for (let symbol = waiting.shift(); symbol !== undefined; symbol = waiting.shift()) {
    if (described.has(symbol)) continue;
    described.add(symbol);
    const outcome = ask(withToken, 'describe', symbol);
    check(`${name}: describe ${symbol}`, outcome, outcome.status === 0);
    for (const [, call = ''] of outcome.stdout.matchAll(/^ *rpc (\w+)/gm)) {
      calls.add(`${symbol}/${call}`);
    }
    for (const [, found = ''] of outcome.stdout.matchAll(/[ (<]\.((?:\w+\.)+\w+)/g)) {
      waiting.push(found);
    }
  }

  const examples = readExamples();
  const examined = new Set(examples.map(({ call }) => call));
  for (const call of calls) {
    if (/^grpc\.reflection|\/Watch$/.test(call)) continue;
    check(`${name}: the page has an example of ${call}`, undefined, examined.has(call));
  }
  let exportId = '';
  for (const { call, request } of examples) {
    const outcome = ask([...withToken, '-d', request.replace('EXPORT_ID', exportId)], call);
    const mayBeEmpty = call.endsWith('/DeleteRecordsExport');
    const isGood = outcome.status === 0 && (mayBeEmpty || !isEmpty(outcome.stdout));
    check(`${name}: ${call}`, outcome, isGood);
    if (call.endsWith('/CreateRecordsExport')) {
      exportId = /"id": "(\w+)"/.exec(outcome.stdout)?.[1] ?? '';
    }
  }

  const healthy = ask(withoutToken, 'grpc.health.v1.Health/Check');
  check(`${name}: the health needs no token`, healthy, healthy.stdout.includes('"SERVING"'));
  const watched = ask([...withoutToken, '-max-time', '2'], 'grpc.health.v1.Health/Watch');
  check(
    `${name}: the health is watched until the deadline`,
    watched,
    watched.stdout.includes('"SERVING"') && watched.status === ENDED_WITH.deadlineExceeded,
  );

  const records = 'unacast.catalog.v3.CatalogQuery/ListRecords';
  const noToken = ask(withoutToken, records);
  check(
    `${name}: without a token a call is Unauthenticated, with details`,
    noToken,
    noToken.status === ENDED_WITH.unauthenticated &&
      /Code: Unauthenticated/.test(noToken.stderr) &&
      /google\.rpc\.ErrorInfo.*"reason": "TOKEN_MISSING"/s.test(noToken.stderr),
  );
  const noReflection = ask(channel, 'list');
  check(
    `${name}: without a token nothing is listed`,
    noReflection,
    noReflection.status !== 0 && /no Authorization header/.test(noReflection.stderr),
  );
  const wrongFilter = JSON.stringify({
    data_reference_name: 'ml_visitation.places',
    filters: [{ field_name: 'citty', operator: '==', value: 'Moab' }],
  });
  const refused = ask([...withToken, '-d', wrongFilter], records);
  check(
    `${name}: wrong input is InvalidArgument, with the field`,
    refused,
    refused.status === ENDED_WITH.invalidArgument &&
      /google\.rpc\.BadRequest.*"field": "filters\[0\]\.field_name"/s.test(refused.stderr),
  );

  // The descriptors of reflection are complete: they are enough to call the service.
  for (const service of SERVICES) {
    const file = join(workspace, `${name}-${service}.binpb`);
    const written = ask([...withToken, '-protoset-out', file], 'describe', service);
    check(`${name}: the descriptors of ${service} are written`, written, existsSync(file));
    const read = run(['-protoset', file, 'describe', service]);
    check(`${name}: the descriptors of ${service} are read`, read, read.status === 0);
  }
  const protoset = join(workspace, `${name}-unacast.catalog.v3.CatalogQuery.binpb`);
  const places = '{"data_reference_name": "ml_visitation.places", "page_size": 1}';
  const called = ask([...withToken, '-protoset', protoset, '-d', places], records);
  check(
    `${name}: a call without reflection`,
    called,
    called.status === 0 && /"records"/.test(called.stdout),
  );
}

/** Runs the grpcurl blocks of the documentation, as a reader would paste them. */
function testBlocks(environment: Readonly<Record<string, string>>): void {
  for (const page of [GUIDE, REFERENCE]) {
    const blocks = [...readFileSync(page, 'utf8').matchAll(/^```\w*\n(grpcurl .*?)^```$/gms)];
    check(`${page} has a block with grpcurl`, undefined, blocks.length > 0);
    for (const [, block = ''] of blocks) {
      const { status, stdout, stderr } = spawnSync(
        'bash',
        ['--norc', '-euo', 'pipefail', '-c', block],
        {
          encoding: 'utf8',
          env: { ...process.env, ...environment, PATH: `${tools}:${process.env['PATH']}` },
        },
      );
      const outcome = { status, stdout, stderr };
      check(`${page}: ${block.trim()}`, outcome, status === 0 && !isEmpty(stdout));
    }
  }
}

/** The rows of the page: a call and its request, both as code. */
function readExamples(): readonly { readonly call: string; readonly request: string }[] {
  const rows = readFileSync(REFERENCE, 'utf8').matchAll(/^\| `([\w.]+\/\w+)` \| `(\{.*?\})`/gm);
  return [...rows].map(([, call = '', request = '']) => ({ call, request }));
}

function isEmpty(answer: string): boolean {
  return Object.keys(JSON.parse(answer)).length === 0;
}

function check(name: string, outcome: Outcome | undefined, isGood: boolean): void {
  count(isGood ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  if (!isGood) {
    const { status, stdout, stderr } = outcome ?? {};
    const seen = outcome === undefined ? '' : `\nended with ${status}\n${stdout}${stderr}`;
    say(`FAIL ${name}${seen}`);
  }
}

function run(parameters: readonly string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(join(tools ?? '', 'grpcurl'), parameters, {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}
