import { MONTH_NAMES } from '@locmetrics/ingest/manifest/month-names';
import { expect, test } from 'vitest';
import { importByManifest } from '../import-by-manifest.ts';
import { checks, declaredLines, valuesOfFields } from './draft-of-files.ts';
import { drafted, type Records } from './draft-under-test.ts';

const months = (rows: Records, field = 'month_start') =>
  [...new Set(valuesOfFields(rows, [field]).flat())].toSorted();
const FIRST = ['2023-01-01', '2023-02-01', '2023-03-01'];

test('no name of a month means two', () => {
  for (const names of Object.values(MONTH_NAMES)) {
    expect(names.length % 12).toBe(0);
    const meanings = Map.groupBy(names.entries(), ([, name]) => name);
    for (const [name, same] of meanings) {
      expect([name, new Set(same.map(([index]) => index % 12)).size]).toEqual([name, 1]);
    }
  }
});

test.each([
  ['MMM YYYY', 'Mrz 2023', '2023-03-01'],
  ['MMM YYYY', 'févr. 2023', '2023-02-01'],
  ['MMM YYYY', 'AGO 2023', '2023-08-01'],
  ['MMMM YYYY', 'Août 2023', '2023-08-01'],
  ['MMMM YYYY', 'aout 2023', '2023-08-01'],
  ['D MMMM YYYY', '5 März 2023', '2023-03-05'],
  ["'D [de] MMMM [de] YYYY'", '5 de março de 2023', '2023-03-05'],
  ['MMMM YYYY', 'Dicembre 2023', '2023-12-01'],
  ['MMMM YYYY', 'November 2023', '2023-11-01'],
])('%s reads %s', async (format, text, day) => {
  const declaration = `files: p.csv
key: [day]
fields:
  day: { type: date, format: ${format} }`;
  const { rows } = await importByManifest(declaration, { 'p.csv': `day\n${text}\n` });
  expect(rows.map((row) => row.slice(1, 2))).toEqual([[day]]);
});

test('columns for months in German become rows, also if some are written in full', async () => {
  const { text, records, metrics } = await drafted({
    'a.csv':
      'Gemeinde;Jan 2023;Feb 2023;Mrz 2023;April 2023;Mai 2023;Okt 2023\nAachen;1;2;3;4;5;6\nBonn;10;20;30;40;50;60\n',
  });
  expect(text).toContain("unpivot: { name: month, values: { value: '* ####' } }");
  const [rows = []] = records.values();
  expect(months(rows)).toEqual([...FIRST, '2023-04-01', '2023-05-01', '2023-10-01']);
  expect(rows.reduce((sum, row) => sum + Number(row['value']), 0)).toBe(231);
  expect(metrics).toHaveLength(1);
});

test('names of months in full are not those of a few short ones', async () => {
  const names = MONTH_NAMES.MMMM.slice(0, 12).map((name) => `${name} 2023`);
  const { text } = await drafted({
    'a.csv': `site,${names.join(',')}\nA1,${names.map((_, index) => index + 1).join(',')}\nB2,${names.map((_, index) => index * 3).join(',')}\n`,
  });
  expect(text).toContain('from 12 columns.');
  expect(text).toContain('format: MMMM YYYY');
});

test.each([
  ['French', 'station;année;mois;n', ['janvier', 'février', 'mars'], ';2023;'],
  ['Italian', 'Comune;Periodo;n', ['Gennaio 2023', 'Febbraio 2023', 'Marzo 2023'], ';'],
  ['Portuguese', 'local;ano;mês;n', ['jan', 'fev', 'mar'], ';2023;'],
])('months in %s', async (_, header, names, between) => {
  const rows = ['A1', 'B2'].flatMap((place) =>
    names.map((name, index) => `${place}${between}${name};${index + 1}`),
  );
  const { text, records, metrics } = await drafted({ 'a.csv': `${header}\n${rows.join('\n')}\n` });
  const [values = []] = records.values();
  const start = Object.keys(values[0] ?? {}).find((name) => name.endsWith('_start'));
  expect(months(values, start)).toEqual(FIRST);
  expect(checks(text)).toEqual([]);
  expect(metrics).toHaveLength(1);
});

test('the numbers of all months are names of columns, even if values are the same numbers', async () => {
  const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
  const { text, records } = await drafted({
    'a.csv': `station,year,${numbers.join(',')}\nA1,2023,${numbers.join(',')}\nB2,2023,${numbers.map((n) => n * 2).join(',')}\n`,
  });
  expect(text).not.toContain('header: false');
  const [rows = []] = records.values();
  expect(months(rows)).toHaveLength(12);
  expect(rows.reduce((sum, row) => sum + Number(row['value']), 0)).toBe(78 * 3);
});

test.each([0, 1])('the numbers of all hours from %i on are names of columns', async (first) => {
  const hours = Array.from({ length: 24 }, (_, index) => index + first);
  const { text, records } = await drafted({
    'a.csv': `counter,date,${hours.join(',')}\nC1,2024-01-01,${hours.map(() => 1).join(',')}\nC2,2024-01-01,${hours.map(() => 2).join(',')}\n`,
  });
  expect(text).not.toContain('header: false');
  const [rows = []] = records.values();
  expect(rows.reduce((sum, row) => sum + Number(row['value']), 0)).toBe(72);
  expect(months(rows, 'hour')).toHaveLength(24);
});

test('a year and a week are a period, with a CHECK', async () => {
  const { text, records } = await drafted({
    'a.csv':
      'locatie;jaar;week;aantal\nDam;2023;1;5\nDam;2023;2;6\nPlein;2023;1;9\nPlein;2023;2;8\n',
  });
  expect(checks(text).filter((check) => check.includes('ISO 8601'))).toEqual([
    'The weeks are read as those of ISO 8601: they start on a Monday, and week 1 has January 4. If the file counts weeks in another way, add a column with the first day of each. => week_start: { type: date, column: [jaar, week], format: YYYY W, as: week }',
  ]);
  const [rows = []] = records.values();
  expect(months(rows, 'week_start')).toEqual(['2023-01-02', '2023-01-09']);
});

test('names that are repeated over measures, as merged cells are, make a header of two rows', async () => {
  const { text, records } = await drafted({
    'a.csv':
      'District,2021,2021,2022,2022\n,births,deaths,births,deaths\n1001,5,6,7,8\n1002,9,10,11,12\n1003,1,2,3,4\n',
  });
  expect(text).toContain('# CHECK: The header has several rows');
  const [rows = []] = records.values();
  expect(valuesOfFields(rows, ['district', 'year_start', 'births', 'deaths']).slice(0, 2)).toEqual([
    ['1001', '2021-01-01', '5', '6'],
    ['1001', '2022-01-01', '7', '8'],
  ]);
});

test('columns for the days of a month become rows with their marks, without days that no month has', async () => {
  const days = Array.from({ length: 31 }, (_, index) => String(index + 1).padStart(2, '0'));
  const rows = ['4;8', '8;8'].flatMap((site) =>
    [31, 29].map((length, month) =>
      [
        site,
        '2024',
        `0${month + 1}`,
        ...days.flatMap((day) => (Number(day) <= length ? [Number(day) + month, 'V'] : [0, 'N'])),
      ].join(';'),
    ),
  );
  const header = ['ESTACION;MAGNITUD;ANO;MES', ...days.map((day) => `D${day};V${day}`)].join(';');
  const { text, records } = await drafted({ 'air.csv': `${header}\n${rows.join('\n')}\n` });
  expect(declaredLines(text)).toContain(
    "- unpivot: { name: day, values: { value: 'D##', v: 'V##' } }",
  );
  const [values = []] = records.values();
  expect(values).toHaveLength(120);
  const ofDay = values.filter(({ date }) => date === '2024-02-29');
  expect(ofDay.map(({ value, v }) => [value, v])).toEqual([
    ['30', 'V'],
    ['30', 'V'],
  ]);
  expect(values.some(({ v }) => v === 'N')).toBe(false);
  expect(text).toContain('cadence: daily');
});

test('columns 1 to 31 are days beside a year and a month, and nothing without them', async () => {
  const days = Array.from({ length: 31 }, (_, index) => index + 1);
  const rows = ['A1', 'B2'].map((site) => [site, 2023, 3, ...days].join(','));
  const content = `site,year,month,${days.join(',')}\n${rows.join('\n')}\n`;
  const { rows: records } = await drafted({ 'rain.csv': content });
  expect(records).toHaveLength(62);
  const other = await drafted({
    'rain.csv': `site,${days.join(',')}\nA1,${days.join(',')}\nB2,${days.join(',')}\n`,
  });
  expect(other.text).not.toContain('name: day');
});
