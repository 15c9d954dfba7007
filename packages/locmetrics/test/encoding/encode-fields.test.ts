import { fromBinary } from '@bufbuild/protobuf';
import { mapsV1, metricV1 } from '@locmetrics/contract/grpc';
import { encodeFields, encodeInt64, textFields } from '@locmetrics/core/encoding/encode-fields';
import { expect, test } from 'vitest';

/** The protobuf library reads the bytes that are written here. */
const Measure = metricV1.MetricValue_ValueSchema;

test.each([
  0n,
  1n,
  127n,
  128n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 35n - 1n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -1n,
  -(2n ** 63n),
])('the count %s is read back unchanged', (count) => {
  const bytes = encodeInt64(Measure.field.count.number, count);
  expect(fromBinary(Measure, bytes).value).toEqual({ case: 'count', value: count });
});

test.each([0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152])(
  'a text of %i bytes is read back unchanged, beside other fields',
  (length) => {
    const { field } = mapsV1.FeatureSchema;
    const name = 'n'.repeat(length);
    const bytes = encodeFields(
      textFields([
        [field.layerId.number, 'Zürich'],
        [field.name.number, name],
        [field.ceasedToExist.number, '2024-01-01'],
      ]),
    );
    expect(fromBinary(mapsV1.FeatureSchema, bytes)).toMatchObject({
      layerId: 'Zürich',
      name,
      ceasedToExist: '2024-01-01',
    });
  },
);

test('an empty text is left out', () => {
  expect(encodeFields(textFields([[1, '']]))).toHaveLength(0);
});
