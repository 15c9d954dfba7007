import { encodeMetricValuesPage } from '@locmetrics/core/encoding/metric-values-json';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { announceSeed } from '../support/test-seed.ts';
import { plainJson } from './plain-json.ts';
import { randomAnswer } from './random-metric-values.ts';

test('the bytes of a page of metric values are those of the plain encoder', async () => {
  await fc.assert(
    fc.asyncProperty(randomAnswer, async (answer) => {
      const { nextPageToken } = answer;
      const bytes = await encodeMetricValuesPage({ ...answer, nextPageToken: () => nextPageToken });
      expect(bytes.toString()).toBe(plainJson(answer));
    }),
    { seed: announceSeed('metric values in JSON'), numRuns: 300 },
  );
});
