import type { LineFormat } from '@locmetrics/core/domain/line-format';
import type { ValueVisitor } from '@locmetrics/core/domain/value-visitor';
import type { Engine } from '@locmetrics/core/storage/engine';
import {
  openRecordsStream,
  pinRecordsStream,
} from '@locmetrics/server/service/streams/stream-records';
import { STREAM_SIZES } from '@locmetrics/server/service/streams/stream-sizes';
import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { toCall } from './engines/test-call.ts';
import { describeOn } from './engines/test-on.ts';
import { defineTable } from './table.ts';

const RECORDS = 3000;
const NARROW = 'n'.repeat(10);
const WIDE = 'é'.repeat(10_000);
/** More than half of the records are narrow, and all others follow them. */
const FIRST_WIDE = 2000;

describeOn(ENGINES)('a batch of records, $name engine', (engine) => {
  const table = defineTable({
    name: 'conformance.wide',
    fields: { id: 'integer', text: 'string' },
    rows: Array.from({ length: RECORDS }, (_, index) => ({
      id: BigInt(index),
      text: index < FIRST_WIDE ? NARROW : WIDE,
    })),
  });
  const service = useService(engine, table);
  const { version } = table;
  const run = (
    range: { readonly from: number; readonly end: number; readonly textBytesMax: number },
    lines?: LineFormat,
  ) => {
    const { fields } = version.dataset;
    const plan = { kind: 'batch', version, fields, predicates: [], lines, ...range } as const;
    return service.context().engine.run(plan, new AbortController().signal);
  };

  test('ends before its texts have more bytes than it may have', async () => {
    const wide = Buffer.byteLength(WIDE);
    const narrow = FIRST_WIDE * NARROW.length;
    const { size, end } = await run({ from: 0, end: RECORDS, textBytesMax: narrow + 20 * wide });
    expect(size).toBe(end);
    // An engine may end it a bit earlier.
    expect(end).toBeGreaterThanOrEqual(FIRST_WIDE);
    expect(end).toBeLessThanOrEqual(FIRST_WIDE + 20);
    const lines = await run({ from: FIRST_WIDE, end: RECORDS, textBytesMax: 3 * wide }, 'csv');
    expect(lines.end).toBeGreaterThan(FIRST_WIDE);
    expect(lines.end).toBeLessThanOrEqual(FIRST_WIDE + 3);
  });

  test('has a record that is wider than that', async () => {
    const { size, end } = await run({ from: FIRST_WIDE, end: RECORDS, textBytesMax: 1 });
    expect([size, end]).toEqual([1, FIRST_WIDE + 1]);
  });

  test('is whole if its texts have as many bytes as it may have', async () => {
    const { size, end } = await run({ from: 0, end: 100, textBytesMax: 100 * NARROW.length });
    expect([size, end]).toEqual([100, 100]);
  });

  test('two batches at once are the parts of a stream that is the only one, and none is missing', async () => {
    const context = service.context();
    let running = 0;
    let runningMax = 0;
    const engine: Engine = {
      ...context.engine,
      run: async (plan, signal) => {
        const isBatch = plan.kind === 'batch';
        if (isBatch) running += 1;
        runningMax = Math.max(runningMax, running);
        try {
          return await context.engine.run(plan, signal);
        } finally {
          if (isBatch) running -= 1;
        }
      },
    };
    const call = toCall({});
    const request = {
      dataReferenceName: version.dataset.name,
      fields: [],
      filters: [],
      filterLogic: '',
      options: { trimToPeriodOfExistence: 'trim' },
      billingContext: '',
      asOf: '',
      trackTotalHits: false,
    } as const;
    const pinned = pinRecordsStream(context, request, { ...call, asGeojson: false });
    const sizes = {
      ...STREAM_SIZES,
      firstPage: 5,
      indexed: 20,
      piece: 10,
      partBytes: 2000,
      slowPartBytes: 2000,
      // So the range that reaches the wide records is cut.
      textBytesMax: 100_000,
    };
    const asked = { ...call, sizes, lines: 'csv' } as const;
    const stream = await openRecordsStream({ ...context, engine }, pinned, asked);
    const enough = FIRST_WIDE + 30;
    const ids: string[] = [];
    for await (const piece of stream.pieces) {
      if (ids.length >= enough) break;
      if (!('bytes' in piece)) {
        for (let index = 0; index < piece.size; index += 1) piece.visit(index, idsInto(ids));
        continue;
      }
      const lines = piece.bytes.toString().split('\r\n').slice(0, -1);
      ids.push(...lines.map((line) => line.slice(0, line.indexOf(','))));
    }
    const expected = Array.from({ length: enough }, (_, index) => String(index));
    expect(ids.slice(0, enough)).toEqual(expected);
    expect(runningMax).toBe(2);
  });
});

function idsInto(ids: string[]): ValueVisitor {
  return {
    text: () => {},
    day: () => {},
    number: (field, value) => {
      if (field === 0) ids.push(String(value));
    },
    value: () => {},
  };
}
