import { type Value, valueText } from '@locmetrics/core/domain/value';
import { visitColumns, visitRows } from '@locmetrics/core/domain/value-visitor';
import { toFieldDefinition } from '@locmetrics/core/encoding/data-reference';
import { encodeRecordsPage } from '@locmetrics/core/encoding/records-json';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { announceSeed } from '../support/test-seed.ts';
import { type RecordsAnswer, randomRecords } from './random-records.ts';
import { visitStored } from './stored-records.ts';

test('the bytes of a page of records are those of the plain encoder, however they are stored', async () => {
  await fc.assert(
    fc.asyncProperty(randomRecords, fc.boolean(), async (answer, typedValues) => {
      const { fields, rows, nextPageToken } = answer;
      const columns = fields.map((_, field) => rows.map((row) => row[field] ?? null));
      const expected = plainJson(answer, typedValues);
      for (const visit of [visitRows(rows), visitColumns(columns), visitStored(fields, rows)]) {
        const page = { ...answer, size: rows.length, visit, nextPageToken: () => nextPageToken };
        const bytes = await encodeRecordsPage(page, { typedValues });
        expect(bytes.toString()).toBe(expected);
      }
    }),
    { seed: announceSeed('records in JSON'), numRuns: 400 },
  );
});

/** The meaning of an answer: each value becomes a text by itself. */
function plainJson(answer: RecordsAnswer, typedValues: boolean): string {
  const { fields, rows, totalSize, costRows, nextPageToken, version } = answer;
  const records = rows.map((row) => {
    const members = fields.map(({ name }, field) => {
      const value = row[field] ?? null;
      return `${JSON.stringify(name)}:${typedValues ? typedJson(value) : JSON.stringify(valueText(value))}`;
    });
    return `{"fields":{${members.join(',')}}}`;
  });
  const rest = JSON.stringify({
    fieldDefinitions: fields.map(toFieldDefinition),
    nextPageToken,
    totalSize,
    version,
    costRows,
  });
  return `{"records":[${records.join(',')}],${rest.slice(1)}`;
}

function typedJson(value: Value): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
