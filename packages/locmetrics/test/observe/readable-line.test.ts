import { stripVTControlCharacters } from 'node:util';
import type { Observation } from '@locmetrics/server/observe/observation';
import { openLog } from '@locmetrics/server/observe/open-log';
import { readableLine } from '@locmetrics/server/observe/readable-line';
import { describe, expect, test } from 'vitest';

const now = new Date(2026, 0, 31, 9, 5, 7);
const line = (observation: Observation, colours = false) =>
  readableLine(observation, { colours, now });

const COMPLETED: Extract<Observation, { kind: 'request_completed' }> = {
  kind: 'request_completed',
  requestId: '1',
  method: 'POST',
  route: '/v3/catalog/listRecords',
  status: 200,
  durationMs: 12.345,
  organisationId: 'acme',
  tokenId: '480peboh2flo',
  rows: 100,
  bytes: 42_000,
  userAgent: 'client/1.0',
};

/** Texts that callers choose. */
const EVIL = 'a\u001b[2J\u009b31m\r\n\u0007\u202eb\u2028c\ud800';
const EVIL_SHOWN = 'a\\u{1b}[2J\\u{9b}31m\\u{d}\\u{a}\\u{7}\\u{202e}b\\u{2028}c\\u{d800}';

test('a request is one line: time, status, request, duration, rows and organisation', () => {
  const lines = [
    COMPLETED,
    { ...COMPLETED, rows: 1, durationMs: 0.42 },
    {
      kind: 'request_completed',
      requestId: '1',
      method: 'GET',
      route: '/livez',
      status: 200,
      durationMs: 1,
    },
    {
      ...COMPLETED,
      rows: undefined,
      status: 401,
      reason: 'TOKEN_MISSING',
      organisationId: undefined,
    },
    { ...COMPLETED, route: '/unacast.catalog.v1.QueryService/SearchMetricValues', status: 'OK' },
    { ...COMPLETED, status: 'INVALID_ARGUMENT', rows: undefined, reason: 'UNKNOWN_FIELD' },
  ] as readonly Observation[];
  expect(lines.map((one) => line(one)).join('')).toMatchInlineSnapshot(`
    "09:05:07 200 POST /v3/catalog/listRecords  12 ms  100 rows  acme
    09:05:07 200 POST /v3/catalog/listRecords  0.4 ms  1 row  acme
    09:05:07 200 GET /livez  1.0 ms
    09:05:07 401 POST /v3/catalog/listRecords  12 ms  TOKEN_MISSING
    09:05:07 OK  POST /unacast.catalog.v1.QueryService/SearchMetricValues  12 ms  100 rows  acme
    09:05:07 INVALID_ARGUMENT POST /v3/catalog/listRecords  12 ms  acme  UNKNOWN_FIELD
    "
  `);
});

test('every other observation is one line, with the text of its row in the table of the log', () => {
  const error = new Error('The disk is full.\nvalue 7', { cause: new Error('ENOSPC') });
  const lines: readonly Observation[] = [
    { kind: 'server_listening', url: 'http://127.0.0.1:8080' },
    { kind: 'worker_started', worker: 2, pid: 77 },
    { kind: 'versions_verified', versions: 5, bytes: 12_345_678, durationMs: 9 },
    { kind: 'nothing_published', directory: '/data' },
    { kind: 'setting_questioned', notice: 'The setting is of no use.' },
    { kind: 'request_failed', requestId: '7', error },
    { kind: 'usage_write_failed', error: 'thrown' },
    { kind: 'readiness_changed', isReady: false, failing: [{ check: 'catalog', error }] },
    {
      kind: 'version_damaged',
      dataset: 'shop.stores',
      version: 'v2',
      problem: 'short',
      served: 'v1',
    },
    {
      kind: 'query_slow',
      plan: 'count',
      dataset: 'shop.stores',
      version: 'v1',
      filters: ['== city'],
      rights: [],
      order: [],
      isLaterPage: false,
      outcome: 'answered',
      durationMs: 1500,
    },
    { kind: 'server_stopping', signal: 'SIGTERM' },
    { kind: 'server_stopped' },
  ];
  expect(lines.map((one) => line(one)).join('')).toMatchInlineSnapshot(`
    "09:05:07 info Listening on http://127.0.0.1:8080
    09:05:07 info Worker 2 is ready (process 77)
    09:05:07 info Checked 5 current versions, 11.8 MiB, in 9 ms
    09:05:07 warn /data contains no dataset yet: publish one
    09:05:07 warn The setting is of no use.
    09:05:07 error Request failed requestId=7 error=The disk is full. (ENOSPC)
    09:05:07 error Usage write failed error=A value that is not an Error was thrown.
    09:05:07 warn Readiness changed isReady=false failing=[{"check":"catalog","error":"The disk is full. (ENOSPC)"}]
    09:05:07 error The current version is damaged: the previous one is served. dataset=shop.stores version=v2 problem=short served=v1
    09:05:07 warn Query slow plan=count dataset=shop.stores version=v1 filters=["== city"] rights=[] order=[] isLaterPage=false outcome=answered durationMs=1500
    09:05:07 info Stopping after SIGTERM: running requests are completed
    09:05:07 info Stopped
    "
  `);
});

test.each([
  [200, '32'],
  [304, '36'],
  [404, '33'],
  [500, '31'],
  ['OK', '32'],
  ['NOT_FOUND', '33'],
  ['INTERNAL', '31'],
] as const)('the status %s has a colour of its class', (status, code) => {
  const shown = line({ ...COMPLETED, status }, true);
  expect(shown).toContain(`\u001b[${code}m${String(status).padEnd(3)}\u001b[39m`);
  expect(stripVTControlCharacters(shown)).toBe(line({ ...COMPLETED, status }));
});

describe('a text of a caller moves no cursor and breaks no line', () => {
  test.each<[string, Observation]>([
    ['the method', { ...COMPLETED, method: EVIL }],
    ['the route', { ...COMPLETED, route: EVIL }],
    ['the organisation', { ...COMPLETED, organisationId: EVIL }],
    ['the id of a request', { kind: 'request_failed', requestId: EVIL, error: new Error('x') }],
    [
      'an error',
      { kind: 'request_failed', requestId: '1', error: new Error(EVIL.replace('\n', '')) },
    ],
    ['a sentence', { kind: 'setting_questioned', notice: EVIL }],
    [
      'a fact',
      { kind: 'grant_unusable', organisationId: 'a', grantId: 'b', name: EVIL, problem: 'c' },
    ],
  ])('%s', (_, observation) => {
    const plain = line(observation);
    expect(plain.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(plain.endsWith('\n')).toBe(true);
    expect(stripVTControlCharacters(line(observation, true))).toBe(plain);
  });

  test('and stays readable', () => {
    expect(line({ ...COMPLETED, route: EVIL })).toContain(EVIL_SHOWN);
  });
});

describe('on a terminal', () => {
  const linesOf = (accessLog: boolean, observations: readonly Observation[]) => {
    const lines: string[] = [];
    const stream = { write: (text: string) => void lines.push(text) };
    const { observe } = openLog({ stream, accessLog, readable: { colours: false } });
    for (const observation of observations) observe(observation);
    return lines.map((text) => text.slice('HH:MM:SS '.length));
  };
  const REFUSED = {
    kind: 'request_refused',
    requestId: '1',
    code: 'NOT_FOUND',
    reason: 'ROUTE_NOT_FOUND',
  } as const;

  test('a refused request is one line', () => {
    expect(
      linesOf(true, [REFUSED, { ...COMPLETED, status: 404, reason: 'ROUTE_NOT_FOUND' }]),
    ).toEqual(['404 POST /v3/catalog/listRecords  12 ms  100 rows  acme  ROUTE_NOT_FOUND\n']);
  });

  test('without the access log, refusals are still logged, also of bytes that are not a request', () => {
    expect(linesOf(false, [REFUSED, COMPLETED])).toEqual([
      'info Refused with ROUTE_NOT_FOUND, request 1\n',
    ]);
    expect(linesOf(true, [{ ...REFUSED, isAlone: true }])).toEqual([
      'info Refused with ROUTE_NOT_FOUND, request 1\n',
    ]);
  });
});
