// @module-tag sized

import { csvLine } from '@locmetrics/contract/csv';
import type { Caller } from '@locmetrics/core/domain/caller';
import { lineFormatOf } from '@locmetrics/core/encoding/line-format-of';
import { LINE_FORMATS } from '@locmetrics/core/encoding/record-lines';
import { searchMetricValues } from '@locmetrics/server/service/metrics/search-metric-values';
import { metricValuesColumns } from '@locmetrics/server/service/streams/metric-values-table';
import {
  openMetricValuesStream,
  pinMetricValuesStream,
} from '@locmetrics/server/service/streams/stream-metric-values';
import { writeTableFile } from '@locmetrics/server/service/streams/write-table-file';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { readArrow } from '../../support/read-arrow.ts';
import { PARQUET_TYPES, readParquet } from '../../support/read-parquet.ts';
import { atLeast, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import type { EngineUnderTest } from '../engines/engine-under-test.ts';
import { ENGINES_AT_ONCE } from '../engines/engines.ts';
import { openService, type ServiceUnderTest } from '../engines/service-under-test.ts';
import { toCall } from '../engines/test-call.ts';
import { type MetricQuestion, toValuesRequest } from '../metrics/ask-metrics.ts';
import { readPages } from '../read-pages.ts';
import { refusalOf } from '../refusal.ts';
import { randomStreamSizes } from '../stream-sizes.ts';
import {
  callerWith,
  randomMetricGrant,
  suppress,
  toGrant,
  withSuppression,
} from './random-grant.ts';
import { randomMetricsQuestion } from './random-metric-question.ts';
import { randomWorld, tablesOf, type World } from './random-world.ts';

/** The number of states of the data. */
const STATES = testCount('TABLES', { few: 1, all: 16 });
const QUESTIONS = 20;
const TIMEOUT_MS = 1_800_000 + STATES * 5_000 * ENGINES_AT_ONCE.length;

type Asked = MetricQuestion & { readonly caller: Caller };

test(
  'a stream of metric values of every engine has the values of all pages, under random rights',
  async () => {
    const seed = announceSeed('random streams of metric values');
    const seen = { questions: 0, values: 0 };
    const property = fc.asyncProperty(
      randomWorld,
      randomMetricGrant,
      fc.record({ visits: suppress, share: suppress }),
      fc.array(fc.tuple(randomMetricsQuestion, randomStreamSizes), {
        minLength: QUESTIONS,
        maxLength: QUESTIONS,
      }),
      async (random, drawn, suppressed, questions) => {
        const world = { ...random, visits: withSuppression(random.visits, suppressed) };
        const caller = callerWith([toGrant(world, drawn)]);
        for (const engine of ENGINES_AT_ONCE) {
          await using service = await openDisposable(engine, world);
          for (const [{ kind, question }, sizes] of questions) {
            if (kind !== 'values') continue;
            const asked = {
              ...question,
              caller,
              countOnly: false,
              bestEffortQueryWhenNotAllowed: true,
            };
            const expected = await foldOf(service, asked);
            const reading = streamOf(service, asked, sizes);
            const given = await reading.catch(() => refusalOf(reading));
            expect(given, engine.name).toBe(expected.text);
            const writing = fileOf(service, asked, sizes);
            const written = await writing.catch(() => refusalOf(writing));
            expect(written, `${engine.name} as Parquet`).toBe(expected.text);
            const batching = batchesOf(service, asked, sizes);
            const batched = await batching.catch(() => refusalOf(batching));
            expect(batched, `${engine.name} as Arrow`).toBe(expected.text);
            seen.questions += 1;
            seen.values += expected.values;
          }
        }
      },
    );
    await assertRandom(property, { seed, numRuns: STATES, timeoutMs: TIMEOUT_MS });
    expect(seen.values).toBeGreaterThan(atLeast(seen.questions * 0.02));
  },
  TIMEOUT_MS,
);

/** The CSV of the values of all pages, or the refusal. */
async function foldOf(service: ServiceUnderTest, asked: Asked) {
  const pin = () => pinMetricValuesStream(service.context(), toRequest(asked), toCall(asked));
  const reading = readPages({ ...asked, pageToken: '' }, async (question: Asked) => {
    const { sentRowsMax: _cut, ...whole } = question;
    const result = await searchMetricValues(service.context(), toRequest(whole), toCall(question));
    return { ...result, nextPageToken: result.nextPageToken(result.values.size) };
  });
  try {
    const pages = await reading;
    const { version, shown } = pin().selection;
    const columns = metricValuesColumns(version, shown);
    const rows = pages.flatMap(({ values }) =>
      Array.from({ length: values.size }, (_, index) =>
        csvLine(columns.map(({ valueAt }) => valueAt(values, index))),
      ),
    );
    const head = csvLine(columns.map(({ name }) => name));
    return { text: `${head}${rows.join('')}`, values: rows.length };
  } catch {
    return { text: await refusalOf(reading), values: 0 };
  }
}

async function streamOf(
  service: ServiceUnderTest,
  asked: Asked,
  sizes: Parameters<typeof openMetricValuesStream>[2]['sizes'],
): Promise<string> {
  const call = toCall(asked);
  const pinned = pinMetricValuesStream(service.context(), toRequest(asked), call);
  const stream = await openMetricValuesStream(service.context(), pinned, { ...call, sizes });
  const { head, lines } = LINE_FORMATS.csv;
  const parts: Uint8Array[] = [head(stream.columns)];
  for await (const piece of stream.pieces) {
    parts.push('bytes' in piece ? piece.bytes : await lines(stream.columns, piece, false));
  }
  return Buffer.concat(parts).toString();
}

/** The same of a Parquet file. */
async function fileOf(
  service: ServiceUnderTest,
  asked: Asked,
  sizes: Parameters<typeof openMetricValuesStream>[2]['sizes'],
): Promise<string> {
  const call = toCall(asked);
  const request = { ...toRequest(asked), trackTotalHits: true };
  const pinned = pinMetricValuesStream(service.context(), request, call);
  const stream = await openMetricValuesStream(service.context(), pinned, { ...call, sizes });
  await using file = await writeTableFile(service.context(), call, stream);
  const { types, rows } = await readParquet(await file.readFile());
  expect(types).toEqual(stream.columns.map(({ name, type }) => [name, PARQUET_TYPES[type]]));
  return [types.map(([name]) => name), ...rows].map(csvLine).join('');
}

/** The same of a stream of Arrow. */
async function batchesOf(
  service: ServiceUnderTest,
  asked: Asked,
  sizes: Parameters<typeof openMetricValuesStream>[2]['sizes'],
): Promise<string> {
  const call = toCall(asked);
  const pinned = pinMetricValuesStream(service.context(), toRequest(asked), call);
  const stream = await openMetricValuesStream(service.context(), pinned, { ...call, sizes });
  const { head, lines, tail } = lineFormatOf('arrow', stream);
  const parts: Uint8Array[] = [head(stream.columns)];
  for await (const piece of stream.pieces) {
    if ('bytes' in piece) throw new Error('Batches are written of values.');
    parts.push(await lines(stream.columns, piece, false));
  }
  const { types, rows, isComplete } = readArrow(Buffer.concat([...parts, Buffer.from(tail)]));
  expect(isComplete).toBe(true);
  expect(types).toEqual(stream.columns.map(({ name, type }) => [name, PARQUET_TYPES[type]]));
  return [types.map(([name]) => name), ...rows].map(csvLine).join('');
}

function toRequest(asked: Asked) {
  const { sentRowsMax: _cut, ...whole } = asked;
  return toValuesRequest(whole, 'visits', asked.caller.organisationId);
}

async function openDisposable(engine: EngineUnderTest, world: World) {
  const service = await openService(engine, tablesOf(world));
  return { ...service, [Symbol.asyncDispose]: service.close };
}
