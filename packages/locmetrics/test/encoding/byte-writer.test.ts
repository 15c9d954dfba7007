import { fromBinary } from '@bufbuild/protobuf';
import { metricV1 } from '@locmetrics/contract/grpc';
import { viewBytes } from '@locmetrics/core/domain/value-visitor';
import { openByteWriter, toPart } from '@locmetrics/core/encoding/byte-writer';
import { expect, test } from 'vitest';

test.each([0, 1, 9, 10, 99, 100, 2 ** 31 - 1, -1, -9, -10, -(2 ** 31)])(
  'the whole number %s is written in decimal',
  (number) => {
    const out = openByteWriter(0);
    out.integer(number);
    expect(out.end().toString()).toBe(String(number));
  },
);

test.each([
  0.5,
  -0.5,
  0.1,
  8.331,
  1e-6,
  1.5e-6,
  1e-7,
  -1e-6,
  99_999_999.5,
  1e8,
  100_000_000.5,
  0.30000000000000004,
  1e21,
  2 ** 31,
  2 ** 53,
  -(2 ** 31) - 1,
  123.4567891,
  4.0000001,
  5e-324,
  40.7127753,
])('the number %s is written as JavaScript does', (number) => {
  const out = openByteWriter(0);
  out.number(number);
  expect(out.end().toString()).toBe(String(number));
});

test.each([0, 1, 3, 4, 5, 8, 31])(
  'a text of %i bytes is the same as a part and as a range',
  (length) => {
    const text = 'abcdefghijklmnopqrstuvwxyz012345'.slice(0, length);
    const source = viewBytes(Buffer.from(`..${text}`));
    const out = openByteWriter(0);
    out.part(toPart(text));
    out.byte(0x2c);
    out.range(source, 2, 2 + length);
    out.byte(0x2c);
    out.jsonPart(toPart('"'), source, 2, 2 + length);
    out.jsonText(toPart('"'), text);
    expect(out.end().toString()).toBe(`${text},${text},"${text}""${text}"`);
  },
);

test('parts of every kind are written one after the other, whatever their size', () => {
  const long = 'x'.repeat(1000);
  const out = openByteWriter(1);
  out.ascii(long);
  out.text(`ü${long}😀`);
  out.integer(-5);
  out.bytes(Buffer.from(long));
  expect(out.end().toString()).toBe(`${long}ü${long}😀-5${long}`);
});

/** The protobuf library reads the bytes that are written here. */
const Measure = metricV1.MetricValue_ValueSchema;

test.each([0, -0, 1.5, 8.331, -1e-45, 3.4028235677973362e38, 1e300, -1e300])(
  'the number %s is read as the nearest float',
  (number) => {
    const out = openByteWriter(0);
    out.float(Measure.field.number.number, number);
    expect(fromBinary(Measure, out.end()).value).toEqual({
      case: 'number',
      value: Math.fround(number),
    });
  },
);

test.each([0, 1, 127, 128, 2 ** 31, 2 ** 32, 2 ** 35 - 1, 2 ** 53 - 1])(
  'the count %s is read back unchanged',
  (count) => {
    const out = openByteWriter(0);
    out.varint(Measure.field.count.number, count);
    expect(fromBinary(Measure, out.end()).value).toEqual({ case: 'count', value: BigInt(count) });
  },
);

test.each([0, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152])(
  'the head of a text of %i bytes is read, and what was cut is not',
  (length) => {
    const out = openByteWriter(0);
    out.head(Measure.field.name.number, length);
    out.bytes(Buffer.alloc(length, 'n'));
    const size = out.size();
    out.text('what does not fit');
    out.cut(size);
    expect(fromBinary(Measure, out.end()).name).toBe('n'.repeat(length));
  },
);
