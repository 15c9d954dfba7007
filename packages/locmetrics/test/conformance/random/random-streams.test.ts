// @module-tag sized

import { csvLine } from '@locmetrics/contract/csv';
import type { Value } from '@locmetrics/core/domain/value';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { atLeast, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import type { EngineUnderTest } from '../engines/engine-under-test.ts';
import { ENGINES_AT_ONCE } from '../engines/engines.ts';
import {
  openService,
  type RecordsQuestion,
  type ServiceUnderTest,
} from '../engines/service-under-test.ts';
import { refusalOf } from '../refusal.ts';
import { randomStreamSizes } from '../stream-sizes.ts';
import type { SourceRow, Table } from '../table.ts';
import { callerWith, randomTableGrant, suppress, withSuppression } from './random-grant.ts';
import { randomQuestion } from './random-question.ts';
import { randomTable } from './random-table.ts';

/** The number of tables. */
const TABLES = testCount('TABLES', { few: 2, all: 30 });
const QUESTIONS = 20;
const TIMEOUT_MS = 1_800_000 + TABLES * 5_000 * ENGINES_AT_ONCE.length;

test(
  'a stream of every engine has the records of all pages, under random rights',
  async () => {
    const seed = announceSeed('random streams');
    const seen = { questions: 0, records: 0, features: 0 };
    const property = fc.asyncProperty(
      randomTable.map(withTextsToEscape),
      randomTableGrant,
      fc.record({ count: suppress, score: suppress }),
      fc.array(randomQuestion, { minLength: QUESTIONS, maxLength: QUESTIONS }),
      fc.array(randomStreamSizes, { minLength: QUESTIONS, maxLength: QUESTIONS }),
      async (random, grant, suppressed, questions, drawnSizes) => {
        const caller = callerWith([grant]);
        for (const engine of ENGINES_AT_ONCE) {
          await using service = await openDisposable(engine, withSuppression(random, suppressed));
          for (const [index, { kind, question }] of questions.entries()) {
            // Groups are answered in pages alone.
            if (kind !== 'records' || question.groupBy !== undefined) continue;
            const asked = { ...question, caller, countOnly: false };
            const expected = await linesOf(service, asked, random);
            for (const format of ['csv', 'ndjson', 'geojson', 'parquet', 'arrow'] as const) {
              const reading = service.streamText({ ...asked, format, sizes: drawnSizes[index] });
              const given = await reading.catch(() => refusalOf(reading));
              expect(given, `${engine.name} ${format}`).toBe(expected[format]);
            }
            seen.features += expected.geojson.startsWith('{') ? expected.records : 0;
            seen.questions += 1;
            seen.records += expected.records;
          }
        }
      },
    );
    await assertRandom(property, { seed, numRuns: TABLES, timeoutMs: TIMEOUT_MS });
    expect(seen.records).toBeGreaterThan(atLeast(seen.questions * 0.5));
    expect(seen.features).toBeGreaterThan(atLeast(seen.records / 50));
  },
  TIMEOUT_MS,
);

/** The lines of the records of all pages, written plainly; or the refusal. */
async function linesOf(
  service: ServiceUnderTest,
  question: RecordsQuestion,
  { version: { dataset } }: Table,
) {
  const reading = service.recordPages({ ...question, pageToken: '' });
  try {
    const pages = await reading;
    const names = pages[0]?.fields.map(({ name }) => name) ?? [];
    const rows = pages.flatMap((page) => page.rows);
    const objects = rows.map((row) => {
      const members = names.map((name, index) => `"${name}":${jsonOf(row[index] ?? null)}`);
      return `{${members.join(',')}}`;
    });
    return {
      csv: [names, ...rows].map(csvLine).join(''),
      ndjson: objects.map((object) => `${object}\n`).join(''),
      parquet: objects.map((object) => `${object}\n`).join(''),
      arrow: objects.map((object) => `${object}\n`).join(''),
      geojson:
        dataset.point === undefined ? NO_POINT : await featuresOf(service, question, objects),
      records: rows.length,
    };
  } catch {
    const refusal = await refusalOf(reading);
    const texts = { csv: refusal, ndjson: refusal, geojson: refusal };
    return { ...texts, parquet: refusal, arrow: refusal, records: 0 };
  }
}

/** Features with these properties and the points of the records; or the refusal. */
async function featuresOf(
  service: ServiceUnderTest,
  question: RecordsQuestion,
  properties: readonly string[],
): Promise<string> {
  const points = { ...question, pageToken: '', fields: ['latitude', 'longitude'] };
  const reading = service.recordPages(points);
  try {
    const pages = await reading;
    const metadata = { dataset: 'conformance.random', version: pages[0]?.version, licences: [] };
    const features = pages
      .flatMap(({ rows }) => rows)
      .map(([latitude = null, longitude = null], index) => {
        const geometry =
          latitude === null || longitude === null
            ? 'null'
            : `{"type":"Point","coordinates":[${jsonOf(longitude)},${jsonOf(latitude)}]}`;
        return `{"type":"Feature","properties":${properties[index]},"geometry":${geometry}}`;
      });
    return `{"type":"FeatureCollection","metadata":${JSON.stringify(metadata)},"features":[\n${features.join(',\n')}\n]}\n`;
  } catch {
    return NO_POINT;
  }
}

const NO_POINT = `UNAVAILABLE_OPTION
The records of conformance.random have no point, so they cannot be written as GeoJSON.
Get them as CSV or NDJSON.`;

function jsonOf(value: Value): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** Some texts become formulas, and those that CSV must quote or JSON must escape. */
function withTextsToEscape(table: Table): Table {
  const toText = (value: Value): Value =>
    (typeof value === 'string' ? TEXTS_TO_ESCAPE.get(value) : undefined) ?? value;
  const keys = new Set(table.version.dataset.key);
  const rows = table.rows.map(
    (row): SourceRow =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, keys.has(name) ? value : toText(value)]),
      ),
  );
  return { ...table, rows };
}

const TEXTS_TO_ESCAPE: ReadonlyMap<string, string> = new Map([
  ['a', '=1+2'],
  ['A', 'one, "two"'],
  ['ab', '-5,"x"'],
  ['ä', 'line\nbreak'],
  ['Ä', '\uFF1D1\r\n'],
  ['ß', '@sum'],
  ['i', '+1'],
  ['1', '\t=1'],
  ['σ', '\u001f\\u000B\u000b "\b\u007f\u2028'],
]);

async function openDisposable(engine: EngineUnderTest, table: Table) {
  const service = await openService(engine, [table]);
  return { ...service, [Symbol.asyncDispose]: service.close };
}
