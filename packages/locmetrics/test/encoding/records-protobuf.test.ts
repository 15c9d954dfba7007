import { fromBinary } from '@bufbuild/protobuf';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { valueText } from '@locmetrics/core/domain/value';
import { visitRows } from '@locmetrics/core/domain/value-visitor';
import { PREFIX_BYTES } from '@locmetrics/core/encoding/message-frame';
import { encodeRecordsMessage } from '@locmetrics/core/encoding/records-protobuf';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { announceSeed } from '../support/test-seed.ts';
import { randomRecords } from './random-records.ts';
import { visitStored } from './stored-records.ts';

test('the protobuf library reads the texts of all values, however the records are stored', async () => {
  await fc.assert(
    fc.asyncProperty(randomRecords, async (answer) => {
      const { fields, rows, nextPageToken } = answer;
      const expected = rows.map((row) =>
        Object.fromEntries(fields.map(({ name }, field) => [name, valueText(row[field] ?? null)])),
      );
      for (const visit of [visitRows(rows), visitStored(fields, rows)]) {
        const page = { ...answer, size: rows.length, visit, nextPageToken: () => nextPageToken };
        const { framed, sentRows } = await encodeRecordsMessage(page);
        const bytes = framed.subarray(PREFIX_BYTES);
        const message = fromBinary(catalogV3.ListRecordsResponseSchema, bytes);
        expect(sentRows).toBe(rows.length);
        expect(message.records.map((record) => record.fields)).toEqual(expected);
        expect(message.nextPageToken).toBe(nextPageToken);
      }
    }),
    { seed: announceSeed('records in protobuf'), numRuns: 300 },
  );
});
