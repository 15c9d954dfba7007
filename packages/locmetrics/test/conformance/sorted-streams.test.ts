import { existsSync, readdirSync } from 'node:fs';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { OrderKey } from '@locmetrics/core/requests/catalog-request';
import { Stop } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import type { ServiceContext } from '@locmetrics/server/service/service-context';
import type { StreamPiece } from '@locmetrics/server/service/streams/read-ahead';
import {
  openRecordsStream,
  pinRecordsStream,
} from '@locmetrics/server/service/streams/stream-records';
import { STREAM_SIZES } from '@locmetrics/server/service/streams/stream-sizes';
import { describe, expect, test } from 'vitest';
import type { EngineUnderTest } from './engines/engine-under-test.ts';
import { duckdbEngine } from './engines/engines.ts';
import { openService } from './engines/service-under-test.ts';
import { toCall } from './engines/test-call.ts';
import { defineTable } from './table.ts';

const COUNT = 500;
const TABLE = tableWith('note');
/** A few parts after the first page. */
const SIZES = { ...STREAM_SIZES, firstPage: 5, indexed: 20, partBytes: 4000, slowPartBytes: 4000 };

describe('a stream in another order than that of the key', () => {
  test('is sorted once, and read in ranges', async () => {
    await using service = await openCounting({});
    expect(await read(service.context)).toEqual(await inOrder(service));
    expect(service.counts).toEqual({ pages: 2, sorts: 1 });
    expect(filesOf(service.context)).toEqual([]);
  });

  test('is sorted once by several fields too', async () => {
    const thenBy = [{ fieldName: 'note', descending: true }];
    await using service = await openCounting({});
    const found = await read(service.context, { thenBy });
    expect(found).toEqual(await inOrder(service, thenBy));
    expect(found).not.toEqual(await inOrder(service));
    expect(service.counts).toEqual({ pages: 2, sorts: 1 });
  });

  test('is sorted up to the rows that are wanted', async () => {
    await using service = await openCounting({});
    const rows = await read(service.context, { rowsMax: 40 });
    expect(rows).toEqual((await inOrder(service)).slice(0, 40));
    expect(service.counts).toEqual({ pages: 2, sorts: 1 });
  });

  test('is not sorted if its first pages have all records', async () => {
    await using service = await openCounting({});
    const rows = await read(service.context, { sizes: { ...SIZES, indexed: COUNT } });
    expect(rows).toHaveLength(COUNT);
    expect(service.counts.sorts).toBe(0);
  });

  test('leaves nothing if it is not read to its end', async () => {
    await using service = await openCounting({});
    const { pieces } = await open(service.context);
    for (let piece = 0; piece < 4; piece += 1) await pieces.next();
    expect(filesOf(service.context)).not.toEqual([]);
    await pieces.return();
    expect(filesOf(service.context)).toEqual([]);
  });

  test('ends, and leaves nothing, if the caller goes away', async () => {
    await using service = await openCounting({});
    const signal = new Stop();
    const { pieces } = await open(service.context, { signal });
    for (let piece = 0; piece < 4; piece += 1) await pieces.next();
    signal.abort();
    const reading = (async () => {
      for await (const _ of pieces);
    })();
    await expect(reading).rejects.toMatchObject({ reason: 'CANCELLED' });
    expect(filesOf(service.context)).toEqual([]);
  });

  test('is read in pages if there is no place for the sorted records', async () => {
    const sortRecords = async (): Promise<never> => {
      throw new ServiceError('DISK_FULL', 'The disk is full.');
    };
    await using service = await openCounting({ sortRecords });
    expect(await read(service.context)).toEqual(await inOrder(service));
    expect(service.counts.pages).toBeGreaterThan(2);
  });

  test('is read in pages while other files are written, and then sorted', async () => {
    await using service = await openCounting({});
    const { filePlaces } = service.context;
    const places = [await filePlaces.acquire(new Stop()), await filePlaces.acquire(new Stop())];
    const { pieces } = await open(service.context);
    const ids: string[] = [];
    for (let piece = 0; piece < 4; piece += 1) {
      const { value } = await pieces.next();
      if (value !== undefined) ids.push(...idsOf(value));
    }
    expect(service.counts).toMatchObject({ sorts: 0 });
    for (const place of places) filePlaces.release(place);
    for await (const piece of pieces) ids.push(...idsOf(piece));
    expect(ids).toEqual(await inOrder(service));
    expect(service.counts).toMatchObject({ sorts: 1 });
  });

  test('is read in pages if there are many others', async () => {
    await using service = await openCounting({});
    const expected = await inOrder(service);
    const streams = await Promise.all(Array.from({ length: 17 }, () => open(service.context)));
    for (const { pieces } of streams)
      for (let piece = 0; piece < 4; piece += 1) await pieces.next();
    const { sorts, pages } = service.counts;
    expect(sorts).toBeGreaterThan(16);
    expect(await read(service.context)).toEqual(expected);
    expect(service.counts.pages - pages).toBeGreaterThan(2);
    await Promise.all(streams.map(({ pieces }) => pieces.return()));
    expect(filesOf(service.context)).toEqual([]);
  });

  test('may have a field that is named as the ordinals of the engine', async () => {
    await using service = await openCounting({}, tableWith('RowId'));
    expect(await read(service.context)).toEqual(await inOrder(service));
  });
});

function tableWith(name: string) {
  return defineTable({
    name: 'conformance.sorted',
    fields: { id: 'integer', score: 'integer', [name]: 'string' },
    rows: Array.from({ length: COUNT }, (_, index) => ({
      id: String(index),
      score: index % 7 === 0 ? null : String((index * 37) % 101),
      [name]: `note ${index}`,
    })),
  });
}

const ORDER = { fieldName: 'score', descending: true };

/** Counts what the engine is asked. */
async function openCounting(
  changed: { readonly sortRecords?: Engine['sortRecords'] },
  table = TABLE,
) {
  const counts = { pages: 0, sorts: 0 };
  const counting: EngineUnderTest = {
    name: 'counting',
    open: async () => {
      const opened = await duckdbEngine.open();
      const { run, sortRecords } = { ...opened.engine, ...changed };
      if (sortRecords === undefined) throw new Error('The column store sorts records.');
      const engine: Engine = {
        ...opened.engine,
        run: (plan, signal) => {
          if (plan.kind === 'records') counts.pages += 1;
          return run(plan, signal);
        },
        sortRecords: (...asked) => {
          counts.sorts += 1;
          return sortRecords(...asked);
        },
      };
      return { ...opened, engine };
    },
  };
  const service = await openService(counting, [table]);
  return {
    context: service.context(),
    counts,
    /** The same records from pages; these are not counted. */
    pages: async (thenBy: readonly OrderKey[]) => {
      const before = counts.pages;
      const pages = await service.recordPages({ orderBy: ORDER, thenBy });
      counts.pages = before;
      return pages;
    },
    [Symbol.asyncDispose]: service.close,
  };
}

async function inOrder(
  { pages }: Awaited<ReturnType<typeof openCounting>>,
  thenBy: readonly OrderKey[] = [],
) {
  return (await pages(thenBy)).flatMap(({ rows }) => rows.map(([id]) => String(id)));
}

type Reading = {
  readonly rowsMax?: number;
  readonly sizes?: typeof SIZES;
  readonly signal?: Stop;
  readonly thenBy?: readonly OrderKey[];
};

function open(
  context: ServiceContext,
  { rowsMax, sizes = SIZES, signal, thenBy = [] }: Reading = {},
) {
  const call = { ...toCall({}), ...(signal === undefined ? {} : { signal }) };
  const request = {
    dataReferenceName: TABLE.version.dataset.name,
    fields: [],
    filters: [],
    filterLogic: '',
    options: {
      trimToPeriodOfExistence: 'trim',
      orderBy: ORDER,
      ...(thenBy.length === 0 ? {} : { thenBy }),
    },
    billingContext: '',
    asOf: '',
    trackTotalHits: false,
  } as const;
  const pinned = pinRecordsStream(context, request, { ...call, asGeojson: false });
  return openRecordsStream(context, pinned, { ...call, sizes, lines: 'csv', rowsMax });
}

/** The ids of the records of a stream: lines of the engine, or values. */
async function read(context: ServiceContext, reading: Reading = {}): Promise<readonly string[]> {
  const { pieces } = await open(context, reading);
  const ids: string[] = [];
  for await (const piece of pieces) ids.push(...idsOf(piece));
  return ids;
}

function idsOf(piece: StreamPiece): readonly string[] {
  if ('bytes' in piece) {
    const lines = piece.bytes.toString().split('\r\n').slice(0, -1);
    return lines.map((line) => line.split(',')[0] ?? '');
  }
  const ids: string[] = [];
  const visitor = {
    text: () => {},
    day: () => {},
    number: (field: number, value: number) => {
      if (field === 0) ids.push(String(value));
    },
    value: () => {},
  };
  for (let index = 0; index < piece.size; index += 1) piece.visit(index, visitor);
  return ids;
}

function filesOf({ tableFiles: { folder } }: ServiceContext): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
