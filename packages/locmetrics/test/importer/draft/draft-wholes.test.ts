// @module-tag slow

import { expect, test } from 'vitest';
import { checks, declaredLines, draftText } from './draft-of-files.ts';

const YEARS = [2021, 2022, 2023];

/** Rates of places in three years; that of the whole is between them. */
function rates(column: string, whole: string, places: readonly string[]): string {
  const rows = YEARS.flatMap((year, at) => [
    `${whole},${year},${3 + places.length / 4 + at}`,
    ...places.map((place, index) => `${place},${year},${3 + index / 2 + at}`),
  ]);
  return `${column},year,unemployment_rate\n${rows.join('\n')}\n`;
}

async function wholesOf(content: string): Promise<readonly string[]> {
  const found = checks(await draftText({ 'a.csv': content }));
  return found.filter((check) => !check.startsWith('Places are told apart'));
}

const COUNTIES = ['Adair', 'Adams', 'Linn', 'Polk', 'Story'];

test('a row about a whole state is a CHECK, though rates do not add up', async () => {
  expect(await wholesOf(rates('county', 'Statewide', COUNTIES))).toEqual([
    `Rows with county 'Statewide' seem to be about all others together, by their name. If they are, leave them out: add to rows: - where: '"county" <> ''Statewide''' => key: [county, year_start]`,
  ]);
});

test.each([
  ['county', 'State of Iowa', COUNTIES],
  ['county', 'Iowa (statewide)', COUNTIES],
  ['county', 'State average', COUNTIES],
  ['comarca', 'Región total', ['Norte', 'Sur', 'Este']],
  ['station', 'All stations', ['North', 'South', 'West']],
  ['kanton', 'Insgesamt', ['Bern', 'Zug', 'Uri']],
  ['state', 'US', ['CA', 'NV', 'TX']],
  ['state', 'United States', ['California', 'Nevada', 'Texas']],
])('names of a whole are a CHECK: %s %s', async (column, whole, places) => {
  expect(await wholesOf(rates(column, whole, places))).toEqual([
    expect.stringContaining(`Rows with ${column} '${whole}' seem to be about all others together`),
  ]);
});

test.each([
  ['church', 'All Saints', ['St. Mary', 'St. Paul', 'St. Ann']],
  ['country', 'US', ['Canada', 'Mexico', 'France']],
  ['county', 'Allen', COUNTIES],
  ['iata', 'AVG', ['ABE', 'ABQ', 'ZZV']],
  ['state', 'Commonwealth of the Northern Mariana Islands', ['Guam', 'Texas', 'Ohio']],
  ['state', 'State of Mexico', ['Jalisco', 'Puebla', 'Sonora']],
])('other names are none: %s %s', async (column, place, others) => {
  expect(await wholesOf(rates(column, place, others))).toEqual([]);
});

test('the word of a total whose value is no mean of the others is the name of a place', async () => {
  const content = rates('brand_site', 'Total', ['Shell', 'Esso', 'Agip']);
  expect(await wholesOf(content.replaceAll(/^Total,(\d+),.*$/gm, 'Total,$1,99'))).toEqual([]);
});

test('the total of a part of the key is the default of the metric, though rates do not add up', async () => {
  const rows = YEARS.flatMap((year) =>
    ['Kent', 'Sussex', 'Allen'].flatMap((county, at) =>
      ['Total', 'Male', 'Female'].map(
        (sex, index) => `${county},${year},${sex},${5 + at + (index === 2 ? -1 : index)}.5`,
      ),
    ),
  );
  const text = await draftText({
    'a.csv': `county,year,sex,poverty_rate\n${rows.join('\n')}\n`,
  });
  expect(checks(text)[0]).toBe(
    `Rows with sex 'Total' seem to be about all others together, by their name. totals keeps callers from mixing them with the others. To leave these rows out, delete totals, and add to rows: - where: '"sex" <> ''Total''' => totals: { sex: Total }`,
  );
  expect(declaredLines(text)).toContain('default: Total');
});

test.each([
  ['per_capita_income', '06000, 32000', ['06000', '06001', '06003', '32000', '32001', '32003']],
  ['cases', '06000', ['06000', '06001', '06003', '06005']],
  ['cases', '00000', ['00000', '06001', '06003', '06005']],
])('codes of states among those of counties are a CHECK: %s, %s', async (measure, shown, codes) => {
  const rows = YEARS.flatMap((year) =>
    codes.map((code, index) => `${code},${year},${((year * 7 + index * 131) % 977) + 40}`),
  );
  expect(await wholesOf(`GeoFIPS,year,${measure}\n${rows.join('\n')}\n`)).toEqual([
    `Codes of geo_fips that end with 000 are those of states or of the whole country, among those of counties: ${shown}. So that callers do not count twice, leave them out: add to rows: - where: 'right("GeoFIPS", 3) <> ''000''' => key: [geo_fips, year_start]`,
  ]);
});

test('codes that end with 000 are others where they are no counties', async () => {
  const rows = YEARS.flatMap((year) =>
    ['10000', '10001', '10002', '10003'].map((id, index) => `${id},${year},${index + 7}`),
  );
  expect(await wholesOf(`station_id,year,visits\n${rows.join('\n')}\n`)).toEqual([]);
});

test('levels of a known classification are a CHECK, though rates do not add up', async () => {
  const rows = YEARS.flatMap((year) =>
    ['06', '06001', '06003', '32', '32001'].map((code, index) => `${code},${year},${index + 3}.5`),
  );
  expect(await wholesOf(`geoid,year,unemployment_rate\n${rows.join('\n')}\n`)).toEqual([
    `The codes of geoid have several levels, such as 06, 06001: longer codes begin with shorter ones. So that callers do not count twice, leave all but one level out: add to rows: - where: 'length("geoid") = 5' => key: [geoid, year_start]`,
  ]);
  const levels = rows.map((row) => `${/^\d\d,/.test(row) ? 'state' : 'county'},${row}`);
  const [found] = await wholesOf(`geo_level,id,year,rate\n${levels.join('\n')}\n`);
  expect(found).toMatch(
    /^Places of several levels are in one table, by geo_level: county, state\./,
  );
});

test('totals over owners and industries are the defaults of the metric', async () => {
  const rows = ['01001', '01003', '01005'].flatMap((area, at) =>
    [1, 2].flatMap((quarter) => {
      const jobs = [1, 2, 3, 5].map((own) => ({
        own,
        goods: own * 131 + at * 17,
        all: own * 300 + quarter * 11,
      }));
      const row = (own: number, industry: number, level: number, count: number) =>
        `${area},${own},${industry},${level},2023,${quarter},${count}`;
      return [
        row(
          0,
          10,
          70,
          jobs.reduce((sum, { all }) => sum + all, 0),
        ),
        ...jobs.flatMap(({ own, goods, all }) => [
          row(own, 10, 71, all),
          row(own, 101, 72, goods),
          row(own, 102, 72, all - goods),
        ]),
      ];
    }),
  );
  const text = await draftText({
    'a.csv': `area_fips,own_code,industry_code,agglvl_code,year,qtr,month1_emplvl\n${rows.join('\n')}\n`,
  });
  expect(checks(text).map((check) => check.slice(0, 52))).toEqual([
    "Rows with own_code '0' are the sums of others: month",
    "Rows with industry_code '10' are the sums of others:",
  ]);
  expect(declaredLines(text)).toContain("totals: { own_code: '0', industry_code: '10' }");
});

test('levels of codes below a total of all are a CHECK', async () => {
  const rows = YEARS.flatMap((year) =>
    ['01001', '01003', '01005'].flatMap((area, at) => {
      const [crops, animals, oil] = [year - 1900 + at, 310 + at * 7, 520 + at];
      return [
        `${area},00,${year},${crops + animals + oil}`,
        `${area},11,${year},${crops + animals}`,
        `${area},111,${year},${crops}`,
        `${area},112,${year},${animals}`,
        `${area},21,${year},${oil}`,
        `${area},211,${year},${oil}`,
      ];
    }),
  );
  const text = await draftText({ 'a.csv': `fips,naics,year,wages\n${rows.join('\n')}\n` });
  expect(declaredLines(text)).toContain("totals: { naics: '00' }");
  expect(checks(text).filter((check) => check.includes('several levels'))).toHaveLength(1);
});
