import { findSharedCodes } from '@locmetrics/ingest/draft/values/shared-codes';
import { expect, test } from 'vitest';
import { draftedFiles } from './drafted-files.ts';

const COUNTIES =
  'GEOID,name,lat,lng\n01001,Autauga,32.5,-86.6\n01003,Baldwin,30.7,-87.7\n56045,Weston,43.8,-104.5\n';

test.each(['', '.0'])(
  'numbers with the end "%s" that are the codes of another file are these codes',
  async (end) => {
    const lines = ['1001', '1003', '56045'].flatMap((code, index) => [
      `${code}${end},2020-01-01,${index + 1}\n`,
      `${code}${end},2020-01-02,${index + 4}\n`,
    ]);
    const { text, records, metrics } = await draftedFiles({
      'counties.csv': COUNTIES,
      'cases.csv': `area,date,cases\n${lines.join('')}`,
    });
    expect(text).toContain(
      '# CHECK: Padded to 5 digits, to match geoid.\n      area: { type: string, pad: 5',
    );
    const [, cases = []] = [...records.values()];
    expect(cases.map((row) => [row['area'], row['date'], row['cases']]).slice(0, 3)).toEqual([
      ['01001', '2020-01-01', '1'],
      ['01001', '2020-01-02', '4'],
      ['01003', '2020-01-01', '2'],
    ]);
    expect(metrics.map(({ metric }) => metric.metricId)).toEqual(['cases']);
  },
);

test('numbers that are among codes by chance stay numbers', async () => {
  const digits = (name: string, isCode: boolean, values: readonly string[]) => [
    { name, column: name, isCode, isText: isCode, values: new Set(values) },
  ];
  const numbers = Array.from({ length: 30 }, (_, index) => String(index + 1));
  const ids = { digits: digits('store_id', true, numbers) };
  const measured = (name: string) => ({ digits: digits(name, false, numbers.slice(3, 9)) });
  expect(findSharedCodes([ids, measured('level')]).map(({ size }) => size)).toEqual([0, 0]);
  expect(findSharedCodes([ids, measured('store')])[1]?.get('store')).toMatchObject({
    pad: undefined,
    of: 'store_id',
  });
  const few = { digits: digits('n', false, ['1001', '7', '8', '9', '10']) };
  const codes = { digits: digits('geoid', true, ['01001', '01003', '56045']) };
  expect(findSharedCodes([codes, few]).map(({ size }) => size)).toEqual([0, 0]);
});
