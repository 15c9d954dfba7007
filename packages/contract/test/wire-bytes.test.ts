import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { catalogV1, catalogV3, metricV1 } from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';

/** The bytes are written by hand from the protobuf encoding: tag = number × 8 + wire type. */

test('a page of records', () => {
  const page = create(catalogV3.ListRecordsResponseSchema, {
    records: [{ fields: { city: 'Bo' } }],
    nextPageToken: 't',
    totalSize: 300n,
    version: 'v',
  });
  const bytes = [
    [0x0a, 0x0c, 0x0a, 0x0a, 0x0a, 0x04, ...ascii('city'), 0x12, 0x02, ...ascii('Bo')],
    [0x1a, 0x01, ...ascii('t')],
    [0x20, 0xac, 0x02],
    [0xaa, 0x06, 0x01, ...ascii('v')],
  ].flat();
  expect([...toBinary(catalogV3.ListRecordsResponseSchema, page)]).toStrictEqual(bytes);
});

test('a count of 0 is written, and an absent value is not', () => {
  const count = create(metricV1.MetricValue_ValueSchema, { value: { case: 'count', value: 0n } });
  const absent = create(metricV1.MetricValue_ValueSchema, {});
  expect([...toBinary(metricV1.MetricValue_ValueSchema, count)]).toStrictEqual([0x50, 0x00]);
  expect([...toBinary(metricV1.MetricValue_ValueSchema, absent)]).toStrictEqual([]);
});

test('track_total_hits is either a boolean or an integer', () => {
  const read = (...bytes: readonly number[]) =>
    fromBinary(catalogV1.SearchMetricValuesRequestSchema, Uint8Array.from(bytes)).trackTotalHits;
  expect(read(0x20, 0x00)).toStrictEqual({ case: 'trackTotalHitsBoolean', value: false });
  expect(read(0x60, 0x0a)).toStrictEqual({ case: 'trackTotalHitsInteger', value: 10n });
  expect(read()).toStrictEqual({ case: undefined });
});

function ascii(text: string): readonly number[] {
  return [...Buffer.from(text, 'ascii')];
}
