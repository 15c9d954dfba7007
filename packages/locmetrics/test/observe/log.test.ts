// @module-tag slow

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Observation } from '@locmetrics/server/observe/observation';
import { observeAll } from '@locmetrics/server/observe/observe-all';
import { openLog } from '@locmetrics/server/observe/open-log';
import { afterEach, expect, test } from 'vitest';
import { delay } from '../support/delay.ts';

const WRITE_LOG = fileURLToPath(new URL('./write-log.ts', import.meta.url));
const started: ChildProcessWithoutNullStreams[] = [];

afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

const COMPLETED: Observation = {
  kind: 'request_completed',
  requestId: '1',
  method: 'GET',
  route: '/livez',
  status: 200,
  durationMs: 1,
};

test('the access log can be turned off, and the rest of the log stays', () => {
  const lines: string[] = [];
  const { observe } = openLog({ stream: { write: (line) => lines.push(line) }, accessLog: false });
  observe(COMPLETED);
  observe({
    kind: 'request_refused',
    requestId: '1',
    code: 'NOT_FOUND',
    reason: 'ROUTE_NOT_FOUND',
  });
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['request_refused']);
});

test('observations that are only counted are not logged', () => {
  const lines: string[] = [];
  const { observe } = openLog({ stream: { write: (line) => lines.push(line) } });
  observe({ kind: 'request_began', protocol: 'http', method: 'GET' });
  observe({
    kind: 'query_completed',
    plan: 'count',
    dataset: 'shop.stores',
    outcome: 'answered',
    durationMs: 1,
  });
  expect(lines).toEqual([]);
});

test('the log line of a failed check has the first line of the error', () => {
  const lines: string[] = [];
  const error = new Error(`It cannot be read.\n${'x'.repeat(1000)}`);
  openLog({ stream: { write: (line) => lines.push(line) } }).observe({
    kind: 'readiness_changed',
    isReady: false,
    failing: [{ check: 'catalog', error }],
  });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 40,
    kind: 'readiness_changed',
    failing: [{ check: 'catalog', error: { name: 'Error', message: 'It cannot be read.' } }],
  });
});

test('all observers get an observation', () => {
  const told: string[] = [];
  observeAll(
    ({ kind }) => told.push(`first ${kind}`),
    ({ kind }) => told.push(`second ${kind}`),
  )(COMPLETED);
  expect(told).toEqual(['first request_completed', 'second request_completed']);
});

test.for([
  [20_000, 'at-once'],
  [10, 'with-busy-threads'],
] as const)(
  'no line of %i is lost if the process ends %s',
  { tags: 'slow' },
  async ([written, ending]) => {
    const child = start(written, ending);
    const lines = readLines(child);
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
    expect(lines().map(({ requestId }) => requestId)).toEqual(
      Array.from({ length: written }, (_, line) => `request-${line}`),
    );
  },
);

test('a reader that stops reading blocks nothing and memory stays bounded; lost lines are reported', async () => {
  const linesWritten = 100_000;
  const child = start(linesWritten, 'when-told');
  const { lost, rss } = await ask(child);
  expect(lost).toBeGreaterThan(linesWritten / 3);
  expect(rss).toBeLessThan(250 * 2 ** 20);
  const lines = readLines(child);
  await expect
    .poll(() => lines().filter(({ kind }) => kind === 'log_lines_dropped'))
    .toMatchObject([{ level: 40, lines: lost }]);
  const written = lines().filter(({ kind }) => kind === 'request_completed');
  expect(written.length + lost).toBe(linesWritten);
  expect((await ask(child)).lost).toBe(lost);
});

test('a process ends even if its log is not read', async () => {
  const child = start(10_000, 'when-told');
  await ask(child);
  // The process gives up a reader that reads nothing for a second, by a timer that is due before it answers.
  await delay(1200);
  await ask(child);
  await ask(child);
  const exited = once(child, 'exit');
  child.stdin.write('exit\n');
  expect(await exited).toEqual([0, null]);
});

function start(
  lines: number,
  ending: 'at-once' | 'with-busy-threads' | 'when-told',
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [WRITE_LOG, String(lines), ending]);
  started.push(child);
  return child;
}

/** The report of the child after it has written its lines. */
async function ask(
  child: ChildProcessWithoutNullStreams,
): Promise<{ readonly lost: number; readonly rss: number }> {
  child.stdin.write('?\n');
  const [said] = await once(child.stdout, 'data');
  return JSON.parse(String(said));
}

/** The lines of its log so far. All of them must be complete. */
function readLines(child: ChildProcessWithoutNullStreams) {
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return (): readonly Readonly<Record<string, unknown>>[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
}
