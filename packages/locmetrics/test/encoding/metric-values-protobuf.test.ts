import type { Feature } from '@locmetrics/core/domain/feature';
import type { Metric } from '@locmetrics/core/domain/metric';
import type { AppliedFilters } from '@locmetrics/core/domain/metric-value';
import { releaseBuffer } from '@locmetrics/core/encoding/buffer-pool';
import { frameMessage, PREFIX_BYTES } from '@locmetrics/core/encoding/message-frame';
import { encodeMetricValuesMessage } from '@locmetrics/core/encoding/metric-values-protobuf';
import { expectAt } from '@locmetrics/core/errors/expect-at';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { announceSeed } from '../support/test-seed.ts';
import type { MetricValuesAnswer } from './metric-values-answer.ts';
import { plainProtobuf } from './plain-protobuf.ts';
import { randomAnswer } from './random-metric-values.ts';

test('the bytes of a page of metric values are those of the plain encoder', async () => {
  await fc.assert(
    fc.asyncProperty(randomAnswer, async (answer) => {
      const { framed, sentRows } = await encodeMetricValuesMessage({
        ...answer,
        nextPageToken: () => answer.nextPageToken,
      });
      expect(framed.equals(frameMessage(plainProtobuf(answer)))).toBe(true);
      expect(sentRows).toBe(answer.values.size);
      // The next page is written over this one.
      releaseBuffer(framed);
    }),
    { seed: announceSeed('metric values in protobuf'), numRuns: 300 },
  );
});

test('a page of metric values that is too large for a message has the bytes of its first values', async () => {
  const size = 5000;
  const column = <Item>(item: (index: number) => Item) =>
    Array.from({ length: size }, (_, i) => item(i));
  const features = ['é'.repeat(300), 'x'.repeat(800)].map(
    (name): Feature => ({
      layerId: 'places',
      featureId: name.slice(0, 3),
      name,
      addressComponents: [],
      cameIntoExistence: '',
      ceasedToExist: '',
    }),
  );
  const answer: MetricValuesAnswer = {
    metric: {
      metricId: 'visits',
      measures: [{ name: 'visits', unit: '', kind: 'count' }],
    } as unknown as Metric,
    values: {
      size,
      features: column((index) => expectAt(features, index % 2)),
      relatedFeatures: undefined,
      period: { start: column(() => '2024-01-01'), end: column(() => '2024-01-31') },
      measures: [column((index) => index ** 4)],
      dimensions: [],
      flags: [],
    },
    appliedFilters: NO_FILTERS,
    totalSize: size,
    nextPageToken: '',
    version: 'v1',
  };
  const { framed, sentRows } = await encodeMetricValuesMessage({
    ...answer,
    nextPageToken: (rows) => `after ${rows}`,
  });
  expect(framed.length).toBeGreaterThan(3.4 * 2 ** 20);
  expect(framed.length - PREFIX_BYTES).toBeLessThanOrEqual(3.5 * 2 ** 20);
  const sent = {
    ...answer,
    values: { ...answer.values, features: answer.values.features.slice(0, sentRows) },
    nextPageToken: `after ${sentRows}`,
  };
  expect(framed.equals(frameMessage(plainProtobuf(sent)))).toBe(true);
});

const NO_FILTERS: AppliedFilters = {
  periods: [],
  dimensions: [],
  addressComponents: [],
  features: [],
  relatedFeatures: [],
  values: [],
  relatedAddressComponents: [],
  isTrimmed: false,
};
