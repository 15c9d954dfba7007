import { createWriteStream, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { openEmbeddedEngine } from '@locmetrics/row-store/routing/open-embedded-engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { serveLocally } from '../../locmetrics/test/support/listen-locally.ts';
import { openRelay } from '../../locmetrics/test/support/open-relay.ts';
import { temporaryFolder } from '../../locmetrics/test/support/temporary-folder.ts';
import { type Client, createClient, ServiceError } from '../src/index.ts';
import { useSample } from './open-sample.ts';

let limits: OrganisationLimits = {};
/** Lets the reads after the first records of a stream fail, or wait until their caller has gone. */
let later: 'answered' | 'failing' | 'waiting' = 'answered';
let stopped = 0;

const { client, data, server, url } = useSample({
  limitsOf: () => limits,
  openEngine: (stores) => {
    const engine = openEmbeddedEngine(stores);
    return {
      ...engine,
      run: async (plan, signal) => {
        if (plan.kind === 'batch' && later === 'failing') throw new Error('The disk is broken.');
        if (plan.kind === 'batch' && later === 'waiting') {
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', resolve, { once: true });
          });
          stopped += 1;
          signal.throwIfAborted();
        }
        return engine.run(plan, signal);
      },
    };
  },
});

const PLACES = 'ml_visitation.places';
const IN_CALIFORNIA = { fieldName: 'region', operator: '==', value: 'CA' };
const METRIC = { catalogId: 'nps', metricId: 'foot_traffic_monthly' };
/** The records that a stream sends first. */
const FIRST = 1_000;

const LARGE = 'large.shops';
const LARGE_ROWS = 50_000;
const largeRow = (index: number) => ({
  id: `s${String(index).padStart(6, '0')}`,
  // Of several bytes, so that pieces are cut within characters.
  name: `Zürich 東京 🏪 ${index}`,
  visits: index % 7 === 0 ? null : index,
  is_open: index % 2 === 0,
});

beforeAll(async () => {
  const rows = Array.from({ length: LARGE_ROWS }, (_, index) =>
    Object.values(largeRow(index)).join(','),
  );
  await data().publishFiles({
    'locmetrics.yaml': `format: 1
products:
  large: { display_name: Large, description: Made up for the tests. }
datasets:
  large.shops:
    files: shops.csv
    key: [id]
    fields:
      id: { type: string }
      name: { type: string }
      visits: { type: integer }
      is_open: { type: boolean }
`,
    'shops.csv': `id,name,visits,is_open\n${rows.join('\n')}\n`,
  });
});

describe('a stream of records', () => {
  test('has the records of all pages, with the same values', async () => {
    const selection = {
      fields: ['location_id', 'latitude', 'city'],
      filters: [IN_CALIFORNIA, { fieldName: 'region', operator: '==', value: 'UT' }],
      filterLogic: '$0 OR $1',
      boundingBox: { minLng: -124.5, minLat: 36, maxLng: -109, maxLat: 42 },
      orderBy: { fieldName: 'latitude', direction: 'DESC' },
    } as const;
    const rows = await listOf(client().streamRecords(PLACES, selection));
    expect(rows.length).toBeGreaterThan(5);
    expect(rows[0]).toEqual({
      location_id: expect.any(String),
      latitude: expect.any(Number),
      city: expect.any(String),
    });
    expect(rows).toEqual(await client().records(PLACES, selection).all());
  });

  test('is read again from its start by each loop', async () => {
    const states = client().streamRecords('mobility.states');
    expect(await listOf(states)).toHaveLength(52);
    expect(await listOf(states)).toHaveLength(52);
  });

  test('of many pieces has each record once', async () => {
    const sent = watchedPieces();
    let index = 0;
    for await (const row of client({ fetch: sent.fetch }).streamRecords(LARGE)) {
      expect(row).toEqual(largeRow(index));
      index += 1;
    }
    expect(index).toBe(LARGE_ROWS);
    expect(sent.requests()).toBe(1);
    expect(sent.pieces()).toBeGreaterThan(50);
  });

  test('rounds an integer beyond 2^53 as pages do, and keeps its digits in a download', async () => {
    const dataset = 'trips.town_day';
    const filters = [{ fieldName: 'trips', operator: '>', value: '9007199254740992' }];
    const stream = client().streamRecords(dataset, { filters, fields: ['trips'] });
    expect(await listOf(stream)).toEqual([{ trips: 9_007_199_254_740_992 }]);
    expect(await textOf(await stream.download('ndjson'))).toBe('{"trips":9007199254740993}\n');
  });

  test('without records ends at once', async () => {
    const filters = [{ fieldName: 'region', operator: '==', value: 'none' }];
    expect(await listOf(client().streamRecords(PLACES, { filters }))).toEqual([]);
  });

  test('reads the answer only as the loop goes on', async () => {
    const sent = watchedPieces();
    const read: number[] = [];
    for await (const _ of client({ fetch: sent.fetch }).streamRecords(LARGE)) {
      read.push(sent.pieces());
      if (read.length === 5_000) break;
    }
    // The rows of a piece are read before the next piece, and each piece has many.
    expect(read[0]).toBe(1);
    expect(read.findIndex((pieces) => pieces > 1)).toBeGreaterThan(10);
    expect(read.every((pieces, index) => pieces - (read[index - 1] ?? 0) <= 1)).toBe(true);
  });
});

describe('a stream of metric values', () => {
  test('has the values of all pages as rows of a table', async () => {
    const request = {
      ...METRIC,
      featureFilter: ['ACAD'],
      addressComponentFilter: [{ component: 'us_state_2020', values: ['23', '06'] }],
      valueFilter: [
        { valueName: 'person_count', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 1000 },
      ],
      addressComponentWhitelist: ['us_state_2020'],
      skipGeo: true,
    } as const;
    const observationPeriodFilter = { start: '2023-06-01', end: '2023-08-31' };
    const rows = await listOf(
      client().streamMetricValues({ ...request, observationPeriodFilter, trackTotalHits: true }),
    );
    const values = await client()
      .metricValues({ ...request, observationPeriodFilter })
      .all();
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchInlineSnapshot(`
      {
        "backcountry_campers": 233,
        "feature_id": "ACAD",
        "feature_name": "Acadia National Park",
        "non_recreation_visits": 7500,
        "period_end": "2023-06-30",
        "period_start": "2023-06-01",
        "person_count": 566535,
        "rv_campers": 10058,
        "tent_campers": 23409,
        "us_state_2020": "23",
        "us_state_2020_name": "Maine",
        "us_state_2020_short_name": "ME",
      }
    `);
    expect(rows.map((row) => row['person_count'])).toEqual(
      values.map(({ value }) => Number(value.count)),
    );
    // A day as an answer writes it.
    const start = { year: 2023, month: 6, day: 1 };
    const asDays = { ...request, observationPeriodFilter: { start, end: '2023-08-31' } };
    expect(await listOf(client().streamMetricValues(asDays))).toEqual(rows);
  });

  test('of all features is one answer', async () => {
    const { totalSize } = await client().metricValues(METRIC).count();
    expect(await listOf(client().streamMetricValues(METRIC))).toHaveLength(totalSize);
  });

  test('of more features than fit into a URL is one answer', async () => {
    const [first] = await listOf(client().streamMetricValues(METRIC));
    const featureFilter = [
      first?.feature_id ?? '',
      ...Array.from({ length: 900 }, (_, index) => `a long id that no feature has ${index}`),
    ];
    const rows = await listOf(client().streamMetricValues({ ...METRIC, featureFilter }));
    expect(new Set(rows.map((row) => row.feature_id))).toEqual(new Set([first?.feature_id]));
  });
});

describe('a download', () => {
  test.each(['csv', 'ndjson'] as const)('as %s has the bytes of the service', async (format) => {
    const stream = client().streamRecords(LARGE, { trackTotalHits: true });
    const { body, version, totalSize } = await stream.download(format);
    const path = join(temporaryFolder(), `shops.${format}`);
    await pipeline(body, createWriteStream(path));

    const response = await fetch(`${url()}/v3/catalog/${LARGE}/records.${format}`, {
      headers: { authorization: `Bearer ${data().token}` },
    });
    const text = await response.text();
    expect(text.length).toBeGreaterThan(LARGE_ROWS * 30);
    expect(readFileSync(path, 'utf8') === text).toBe(true);
    expect(version).toBe(response.headers.get('data-version'));
    expect(totalSize).toBe(LARGE_ROWS);
  });

  test('as Parquet is a file, whose rows are always counted', async () => {
    const { body, totalSize } = await client().streamRecords(LARGE).download('parquet');
    const bytes = Buffer.from(await new Response(body).arrayBuffer());
    expect(`${bytes.subarray(0, 4)} ${bytes.subarray(-4)}`).toBe('PAR1 PAR1');
    expect(totalSize).toBe(LARGE_ROWS);
  });

  test('of metric values has a version too, and a size only if it is asked for', async () => {
    const stream = client().streamMetricValues({ ...METRIC, featureFilter: ['ACAD'] });
    const download = await stream.download('csv');
    expect(download.version).not.toBe('');
    expect(download.totalSize).toBeUndefined();
    expect(await textOf(download)).toMatch(/^feature_id,feature_name,.*\r\nACAD,/);
  });

  test('that is not read any further ends the answer', async () => {
    await whileLater('waiting', async () => {
      const { body } = await client().streamRecords(LARGE).download('csv');
      await body.cancel();
      await expect.poll(() => stopped).toBe(1);
    });
  });
});

describe('a loop that ends early', () => {
  test('by break ends the answer and its query, and pays for what was sent', async () => {
    await whileLater('waiting', async () => {
      const before = await streamedRows();
      for await (const _ of client().streamRecords(LARGE)) break;
      await expect.poll(() => stopped).toBe(1);
      expect((await streamedRows()) - before).toBe(FIRST);
    });
  });

  test('by its signal throws the reason, even if more rows have arrived', async () => {
    await whileLater('waiting', async () => {
      const controller = new AbortController();
      const reason = new Error('No longer needed');
      const { signal } = controller;
      const read = await readUntilError(client().streamRecords(LARGE, { signal }), (rows) => {
        if (rows === 10) controller.abort(reason);
      });
      expect(read).toEqual({ rows: 10, error: reason });
      await expect.poll(() => stopped).toBe(1);
    });
  });

  test('by its signal while it waits for rows throws the reason', async () => {
    await whileLater('waiting', async () => {
      const controller = new AbortController();
      const reason = new Error('No longer needed');
      const { signal } = controller;
      const read = await readUntilError(client().streamRecords(LARGE, { signal }), (rows) => {
        if (rows === FIRST) setImmediate(() => controller.abort(reason));
      });
      expect(read).toEqual({ rows: FIRST, error: reason });
      await expect.poll(() => stopped).toBe(1);
    });
  });

  test('by its signal before its request throws the reason', async () => {
    const signal = AbortSignal.abort(new Error('No longer needed'));
    const rows = client().streamMetricValues(METRIC, { signal });
    await expect(listOf(rows)).rejects.toBe(signal.reason);
  });
});

describe('an interrupted answer', () => {
  const BROKEN = {
    name: 'ConnectionError',
    message: expect.stringMatching(
      /^The answer to POST http.*\/v3\/catalog\/large\.shops\/records\.(csv|ndjson) was interrupted, so it is incomplete: /,
    ),
  };

  test.each(['identity', 'gzip'])(
    'between two lines, because a connection with %s ends, is an error',
    async (coding) => {
      await whileLater('waiting', async () => {
        const line = await openCuttableLine();
        const far = clientOf(line.url, {
          fetch: (address, { headers, ...init } = {}) =>
            fetch(address, { ...init, headers: { ...headers, 'accept-encoding': coding } }),
        });
        const read = await readUntilError(far.streamRecords(LARGE), (rows) => {
          if (rows === FIRST) line.cut();
        });
        expect(read).toEqual({ rows: FIRST, error: expect.objectContaining(BROKEN) });
        expect(line.requests()).toBe(1);
      });
    },
  );

  test('is an error of a download, and of the file that it is written to', async () => {
    await whileLater('waiting', async () => {
      const line = await openCuttableLine();
      const { body } = await clientOf(line.url).streamRecords(LARGE).download('csv');
      const path = join(temporaryFolder(), 'shops.csv');
      const saved = pipeline(body, createWriteStream(path));
      line.cut();
      await expect(saved).rejects.toMatchObject(BROKEN);
    });
  });

  test('because the service fails is an error', async () => {
    await whileLater('failing', async () => {
      const { rows, error } = await readUntilError(client().streamRecords(LARGE));
      // Bytes that have arrived, but were not read, are lost.
      expect(rows).toBeLessThanOrEqual(FIRST);
      expect(error).toMatchObject(BROKEN);
    });
  });

  test.each([
    ['within a line', { body: '{"id":1}\n{"id"', rows: 1 }, 'its last line has no end'],
    ['after a part of the rows', { body: '{"id":1}\n', rows: 1 }, 'it has 1 of 2 rows'],
    ['before the first row', { body: '', rows: 0 }, 'it has 0 of 2 rows'],
  ])('%s is an error, even if a proxy ends the answer properly', async (_, sent, why) => {
    const { url: proxy } = await serveLocally((__, response) => {
      response.writeHead(200, { 'data-version': 'v', 'total-size': '2' }).end(sent.body);
    });
    const read = await readUntilError(clientOf(proxy).streamRecords(LARGE));
    const message = `The answer was interrupted, so it is incomplete: ${why}.`;
    expect(read).toMatchObject({ rows: sent.rows, error: { name: 'ConnectionError', message } });
  });
});

describe('a stream is requested again', () => {
  test('if the connection ends before its first row', async () => {
    let connections = 0;
    const line = await openLine((near, far) => {
      connections += 1;
      if (connections === 1) near.destroy();
      else if (connections === 2) far.once('data', () => near.destroy());
      near.pipe(far);
      if (connections > 2) far.pipe(near);
    });
    expect(await listOf(clientOf(line).streamRecords('mobility.states'))).toHaveLength(52);
    expect(connections).toBe(3);
  });

  test('if the answer is interrupted between its head and its first row', async () => {
    let asked = 0;
    const { url: proxy } = await serveLocally((_, response) => {
      asked += 1;
      response.writeHead(200, { 'data-version': 'v' });
      response.flushHeaders();
      if (asked === 1) setImmediate(() => response.destroy());
      else response.end('{"id":1}\n');
    });
    expect(await listOf(clientOf(proxy).streamRecords(LARGE))).toEqual([{ id: 1 }]);
    expect(asked).toBe(2);
  });

  test('if the service is overloaded, as often as a client says', async () => {
    let asked = 0;
    const { url: proxy } = await serveLocally((_, response) => {
      asked += 1;
      response.writeHead(503, { 'retry-after': '0' }).end();
    });
    const rows = clientOf(proxy, { retries: 1 }).streamRecords(LARGE);
    await expect(listOf(rows)).rejects.toMatchObject({ name: 'UnexpectedAnswerError' });
    expect(asked).toBe(2);
  });
});

describe('a refused stream', () => {
  test('is an error with its reason and hint', async () => {
    const filters = [{ fieldName: 'citty', operator: '==', value: 'x' }];
    const stream = client().streamRecords(PLACES, { filters });
    for (const read of [() => listOf(stream), () => stream.download('csv')]) {
      const error = await read().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({
        reason: 'UNKNOWN_FIELD',
        hint: "Did you mean 'city'?",
        errors: [{ pointer: '/filters/0/fieldName' }],
      });
    }
  });

  test('of metric values says that the billing context is missing', async () => {
    const rows = client({ billingContext: undefined }).streamMetricValues(METRIC);
    await expect(listOf(rows)).rejects.toMatchObject({ reason: 'BILLING_CONTEXT_MISSING' });
  });

  test('of a known size beyond a limit has no rows', async () => {
    limits = { rowsPerDay: 10 };
    const rows = client({ retries: 0 }).streamRecords(LARGE, { trackTotalHits: true });
    const read = await readUntilError(rows);
    limits = {};
    expect(read).toMatchObject({ rows: 0, error: { reason: 'LIMIT_EXCEEDED' } });
  });

  test.each([
    ['is not from Locmetrics', { 'content-type': 'text/html' }],
    ['has a line that is not JSON', { 'data-version': 'v' }],
  ])('by an answer that %s is an error', async (_, headers) => {
    const { url: proxy } = await serveLocally((__, response) => {
      response.writeHead(200, headers).end('<html>\n');
    });
    const rows = clientOf(proxy).streamRecords(LARGE);
    await expect(listOf(rows)).rejects.toMatchObject({ name: 'UnexpectedAnswerError' });
  });

  test('without a dataset is refused before anything is sent', async () => {
    await expect(listOf(client().streamRecords(''))).rejects.toThrow(
      'The request has no dataReferenceName. Give a non-empty string.',
    );
  });
});

async function listOf<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const list: Row[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

/** The number of rows before the error that ends a loop. */
async function readUntilError(
  rows: AsyncIterable<unknown>,
  onRow: (rows: number) => void = () => {},
): Promise<{ readonly rows: number; readonly error: unknown }> {
  let read = 0;
  try {
    for await (const _ of rows) {
      read += 1;
      onRow(read);
    }
  } catch (error) {
    return { rows: read, error };
  }
  throw new Error(`The loop ended after ${read} rows.`);
}

function textOf({ body }: { readonly body: ReadableStream<Uint8Array> }): Promise<string> {
  return new Response(body).text();
}

async function whileLater(how: typeof later, run: () => Promise<void>): Promise<void> {
  later = how;
  stopped = 0;
  try {
    await run();
  } finally {
    later = 'answered';
  }
}

async function streamedRows(): Promise<number> {
  const usage = await client()
    .usage({ groupBy: ['operation'] })
    .all();
  return usage.find(({ operation }) => operation === 'streamRecords')?.rows ?? 0;
}

/** A `fetch` that counts its requests, and the pieces that were read of their answers. */
function watchedPieces(): {
  readonly fetch: typeof fetch;
  readonly requests: () => number;
  readonly pieces: () => number;
} {
  let requests = 0;
  let pieces = 0;
  return {
    requests: () => requests,
    pieces: () => pieces,
    fetch: async (...request) => {
      requests += 1;
      const response = await fetch(...request);
      const reader = response.body?.getReader();
      const body = new ReadableStream(
        {
          pull: async (controller) => {
            const { done = true, value } = (await reader?.read()) ?? {};
            if (done) return controller.close();
            pieces += 1;
            return controller.enqueue(value);
          },
          cancel: (reason) => reader?.cancel(reason),
        },
        { highWaterMark: 0 },
      );
      return new Response(body, response);
    },
  };
}

function clientOf(
  address: string,
  options: Partial<Parameters<typeof createClient>[0]> = {},
): Client {
  return createClient({ url: address, token: data().token, ...options });
}

async function openLine(join: (near: Socket, far: Socket) => void): Promise<string> {
  const { address } = await openRelay(new URL(server().url).host, join);
  return `http://${address}`;
}

/** A connection to the service that can be ended as if the service had ended it. */
async function openCuttableLine(): Promise<{
  readonly url: string;
  readonly requests: () => number;
  readonly cut: () => void;
}> {
  const ends: Socket[] = [];
  const line = await openLine((near, far) => {
    ends.push(near);
    near.pipe(far);
    far.pipe(near);
  });
  return {
    url: line,
    requests: () => ends.length,
    cut: () => {
      for (const end of ends) end.end();
    },
  };
}
