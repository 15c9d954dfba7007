/**
 * Records the answers of the service to thousands of random requests over both edges, or compares them with
 * a record: `npm run record:answers -- record before.jsonl`, a rebuild, `npm run record:answers -- compare
 * before.jsonl`. Bodies, statuses and headers are equal afterwards, but for ids, times and tokens.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { prepareRun } from '../support/prepare-run.ts';
import { openAnswers } from './open-answers.ts';
import { randomGrants } from './random-grants.ts';
import { type Asked, randomRequest } from './random-requests.ts';
import { startService } from './start-service.ts';

/** Besides those with a random grant each, one may see everything and one nothing. */
const GRANTED = 20;
const AT_ONCE = 4;
const DIFFERENCES_MAX = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '5000' },
  },
});
const [action, path] = positionals;
if ((action !== 'record' && action !== 'compare') || path === undefined) {
  throw new Error('Run it as: record FILE or compare FILE [--seed N] [--requests N]');
}
const seed = Number(values.seed);
const requests = Number(values.requests);

const { workspace: folder, count, end } = prepareRun();

const organisations = [
  { id: 'everything', grants: [{ pattern: '*' }] },
  { id: 'nothing', grants: [] },
  ...fc
    .sample(randomGrants, { seed, numRuns: GRANTED })
    .map((grants, index) => ({ id: `granted-${index}`, grants })),
];
const service = await startService(folder, organisations);
try {
  const { answersOf, close } = openAnswers(service);
  const asked = fc.sample(randomRequest, { seed, numRuns: requests });
  const lines = await inTurns(asked, (one, index) => {
    const organisation = organisations[index % organisations.length];
    // Every third request sees everything.
    return answersOf(index % 3 === 0 ? 'everything' : (organisation?.id ?? ''), one);
  });
  close();
  if (action === 'record') record(path, asked, lines);
  else compare(path, asked, lines);
} finally {
  await service.stop();
}

/** Sends a few requests at once, and keeps their order. */
async function inTurns(
  asked: readonly Asked[],
  answer: (one: Asked, index: number) => Promise<string>,
): Promise<readonly string[]> {
  const lines: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const index = next;
      next += 1;
      const one = asked[index];
      if (one === undefined) return;
      lines[index] = await answer(one, index);
      if ((index + 1) % 1000 === 0) process.stderr.write(`${index + 1} requests\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return lines;
}

function record(file: string, asked: readonly Asked[], lines: readonly string[]): void {
  writeFileSync(file, `${JSON.stringify({ seed, requests })}\n${lines.join('\n')}\n`);
  const statuses = new Map<string, number>();
  for (const line of lines) {
    const status = String(JSON.parse(line)[0]?.status);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const counts = [...statuses].sort(([a], [b]) => (a < b ? -1 : 1));
  process.stdout.write(
    `Recorded ${asked.length} requests in ${file}, by the status of their first answer:\n${counts.map(([status, count]) => `  ${status}: ${count}\n`).join('')}`,
  );
}

/** Prints the first differences, and how many there are. */
function compare(file: string, asked: readonly Asked[], lines: readonly string[]): void {
  const [head = '', ...before] = readFileSync(file, 'utf8').trimEnd().split('\n');
  if (head !== JSON.stringify({ seed, requests })) {
    throw new Error(`${file} was recorded with ${head}. Give the same --seed and --requests.`);
  }
  const different = lines.flatMap((line, index) => (line === before[index] ? [] : [index]));
  for (const index of different.slice(0, DIFFERENCES_MAX)) {
    process.stdout.write(
      `${JSON.stringify(asked[index])}\n  before: ${before[index]}\n  now:    ${lines[index]}\n`,
    );
  }
  count({ passed: lines.length - different.length, failed: different.length });
  end();
}
