/**
 * Runs the texts of calls as a reader pastes them, against a server with the sample, and compares each answer with that
 * of the service: `npm run test:calls`. Bash runs those of curl and grpcurl, Node those of TypeScript with the packed
 * client, Python the others with the published client. It reports what is missing and skips that language. The last
 * line of the output is `N passed, N failed`.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runOnSample, startSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { prepareRun } from '../../../locmetrics/test/support/prepare-run.ts';
import { pagingOf } from '../../src/calls/extent.ts';
import { LANGUAGES, type LanguageId } from '../../src/calls/languages.ts';
import {
  type CanonicalRow,
  canonicalCounts,
  canonicalFrameRow,
  canonicalGroup,
  canonicalRecord,
  canonicalValue,
} from './canonical-rows.ts';
import { readAnswer, readPage, readTotalsHint } from './read-answer.ts';
import { readReadyCalls } from './read-ready-calls.ts';
import { type Environment, OPENERS, type Runner } from './runners.ts';
import { FIRST_PAGE_SIZE, SAMPLE_CALLS, type SampleCall } from './sample-calls.ts';

const FIXTURE = join(
  import.meta.dirname,
  '../../../locmetrics/test/fixtures/trips/locmetrics.yaml',
);

const { workspace, say, report, end } = prepareRun();

const sample = await startSample(workspace, { LOCMETRICS_WORKERS: '1' });
// The sample has no dimension.
runOnSample(sample, ['publish', FIXTURE]);
const { LOCMETRICS_TOKEN: token = '', ...others } = sample.environment;
const url = others['LOCMETRICS_URL'] ?? '';

const pages = SAMPLE_CALLS.filter(({ call }) => pagingOf(call).pageSize === FIRST_PAGE_SIZE);
const calls = [...SAMPLE_CALLS, ...(await Promise.all(pages.map(secondPage)))];
for (const one of await readReadyCalls({ url, token })) {
  // A description of a dataset does not say that some of its records are totals of others.
  const hint = await readTotalsHint(one.call, { url, token });
  if (hint === undefined) calls.push(one);
  else report(`${one.name}: is refused, with what to do`, hint.includes('filter on it'), hint);
}
const answers = new Map<SampleCall, readonly CanonicalRow[]>();
for (const one of calls) {
  const rows = (await readAnswer(one.call, { url, token })).map(canonicalRow(one));
  report(`${one.name}: the service has rows`, rows.length > 0, '');
  answers.set(one, rows);
}
const withToken = ['listRecords', 'searchMetricValues', 'searchMetricAggregates'].flatMap(
  (operation) => calls.filter(({ call }) => call.operation === operation).slice(0, 1),
);
for (const [id, open] of Object.entries(OPENERS)) {
  const folder = join(workspace, id);
  mkdirSync(folder);
  const run = open(folder, say);
  if (run === undefined) continue;
  // The names of the members are the ids.
  const language = id as LanguageId;
  compareTexts({ language, run, calls, environment: sample.environment });
  // A text with the token needs no variable of it.
  compareTexts({ language, run, calls: withToken, environment: others, token });
}
sample.process.kill('SIGTERM');
end();

/** The page after that of a call. The client of Python reads from the first row. */
async function secondPage({ name, call }: SampleCall): Promise<SampleCall> {
  const { nextPageToken: pageToken } = await readPage(call, { url, token });
  const { operation, request } = call;
  return {
    name: `${name}, and the second`,
    // Each request stays with its operation.
    call: { operation, request: { ...request, pageToken } } as SampleCall['call'],
    isOtherInPython: true,
  };
}

function compareTexts({
  language,
  run,
  calls: compared,
  environment,
  token: shown,
}: {
  readonly language: LanguageId;
  readonly run: Runner;
  readonly calls: readonly SampleCall[];
  readonly environment: Environment;
  readonly token?: string;
}): void {
  const { label, write } = LANGUAGES[language];
  const texts = compared.map(
    ({ call }) => write(call, { url, organisationId: 'demo', token: shown }).text,
  );
  for (const [index, { rows, error }] of run(texts, environment).entries()) {
    const one = compared[index];
    const text = texts[index] ?? '';
    if (one === undefined) throw new Error(`${label} printed more than it was asked for.`);
    const name = `${one.name}: ${label}${shown === undefined ? '' : ' with the token'}`;
    if (language === 'python' && one.isOtherInPython === true) {
      report(
        `${name} says what it lacks`,
        error === undefined && text.includes('cannot send'),
        error,
      );
      continue;
    }
    // The published client prints a frame; other programs print a row at a time, as it came.
    const isFrame =
      language === 'python' &&
      one.call.operation === 'searchMetricValues' &&
      text.includes('unacatlib');
    const seen = rows.map(isFrame ? canonicalFrameRow : canonicalRow(one));
    const wanted = answers.get(one);
    report(
      name,
      error === undefined && isDeepStrictEqual(seen, wanted),
      `${text}\n${error ?? difference(seen, wanted ?? [])}`,
    );
  }
}

function canonicalRow({ call: { operation } }: SampleCall): (row: unknown) => CanonicalRow {
  switch (operation) {
    case 'listRecords':
      return canonicalRecord;
    case 'searchMetricValues':
      return canonicalValue;
    case 'searchMetricAggregates':
      return canonicalGroup;
    case 'listRecordsStatistics':
    case 'getLayerStats':
      return canonicalCounts;
  }
}

function difference(seen: readonly CanonicalRow[], wanted: readonly CanonicalRow[]): string {
  const index = seen.findIndex((row, place) => !isDeepStrictEqual(row, wanted[place]));
  return [
    `${seen.length} rows instead of ${wanted.length}; row ${index} is the first other one:`,
    JSON.stringify(seen[index]),
    JSON.stringify(wanted[index]),
  ].join('\n');
}
