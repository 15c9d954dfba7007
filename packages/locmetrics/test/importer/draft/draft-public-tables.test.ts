// @module-tag slow

import { expect, test } from 'vitest';
import { checks, declaredLines, draftText, totalOf } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

/** Kinds of tables that portals publish, with invented values. */

test('a row that repeats a few labels below names is the second row of the header', async () => {
  const { text, records } = await drafted({
    'guests.csv': `,Report for the year,,,,,,,,,
,,Rooms,,,Guests,,,Visitors,,
,,,,,,,,,,
,,2568P,2567,%Change,2568P,2567,%Change,2568P,2567,%Change
,Northtown,76.47,78.88,-2.41,"3,684,242","3,802,604",-3.21,"5,915,243","6,804,272",-3.21
,Kent Hill,68.81,67.28,+1.53,"3,790,048","3,672,257",+3.21,"1,150,146","1,006,038",+0.96
,Lewes,58.02,56.73,+1.29,"1,002,732","975,038",+2.84,"5,083,231","4,698,158",+8.20
`,
  });
  expect(declaredLines(text)).toContain('skip_lines: 3');
  expect(declaredLines(text)).toContain('key: [column_2]');
  expect(declaredLines(text)).toContain(
    "guests_2568_p: { type: integer, format: '1,234', column: 6, additive: all }",
  );
  expect(totalOf(records, 'guests', 'guests_2568_p')).toBe(3_684_242 + 3_790_048 + 1_002_732);
});

test('points on a plane in well-known text are a text, with a CHECK', async () => {
  const { text, rows } = await drafted({
    'counters.csv':
      'id,name,geometry\nA1,North,POINT (2681857 1251990.9)\nB2,South,POINT (2682647 1250363.9)\n',
  });
  expect(checks(text)).toEqual([
    "Points that are not in degrees: 'POINT (2681857 1251990.9)'. They are read as text, so the places are on no map. Convert them to longitude and latitude in WGS 84, for example with ogr2ogr -t_srs EPSG:4326. => geometry: { type: string }",
  ]);
  expect(rows).toHaveLength(2);
  const degrees = await draftText({
    'counters.csv': 'id,name,geometry\nA1,North,POINT (8.54 47.37)\nB2,South,POINT (8.55 47.36)\n',
  });
  expect(degrees).toContain('point: { latitude: latitude, longitude: longitude }');
});

test('both coordinates in a text beside those of the point are no numbers that could be read', async () => {
  const text = await draftText({
    'stops.csv':
      'id;stop_lat;stop_lon;geo\nA;48.8843;2.3383;"48.8843, 2.3383"\nB;48.9084;2.3781;"48.90843, 2.37813"\n',
  });
  expect(checks(text)).toEqual([]);
});

test('a column of nothing but NA has no value, and is no name of places', async () => {
  const text = await draftText({
    'air.csv':
      'day,station_id,ozone,benzene,continent,lat,lng\n2024-01-01,A1,30.5,NA,NA,37.9,-122.3\n2024-01-02,A1,31.5,NA,NA,37.9,-122.3\n',
  });
  expect(text).toContain('Columns without a value are left out: benzene.');
  expect(declaredLines(text)).toContain('name: station_id');
  expect(declaredLines(text)).toContain('continent: { type: string }');
});

test('a text that most places lack is not their name', async () => {
  const rows = ['A', 'B', 'C', 'D'].map(
    (id, index) => `${id},Stop ${index},${index < 2 ? `works ${index}` : ''},48.${index},2.3`,
  );
  const draftOf = (column: string) =>
    draftText({ 'stops.csv': `id,${column},remark,lat,lng\n${rows.join('\n')}\n` });
  expect(declaredLines(await draftOf('Nom de la Station'))).toContain('name: nom_de_la_station');
  expect(declaredLines(await draftOf('quai'))).toContain('name: quai');
});

test('months and years in the plural are a period, and all hours of a day are a dimension', async () => {
  const rows = ['January  ', 'February '].flatMap((month) =>
    Array.from({ length: 24 }, (_, hour) =>
      ['9', '16'].map((site) => `${site},"Park Road",${month},2016,${hour},${hour + 1},2`),
    ).flat(),
  );
  const { text, metrics, records } = await drafted({
    'bikes.csv': `SITE_ID,DESCRIPTION,MONTHS,YEARS,HOURS,SATURDAY,SUNDAY\n${rows.join('\n')}\n`,
  });
  expect(declaredLines(text)).toContain('key: [site_id, hours, month_start]');
  expect(declaredLines(text)).toContain(
    'saturday: { type: integer, column: SATURDAY, additive: all }',
  );
  expect(metrics).toHaveLength(1);
  expect(totalOf(records, 'bikes', 'saturday')).toBe(4 * 300);
});

test('hours that were worked are a measure', async () => {
  const text = await draftText({
    'work.csv': 'site_id,month,hours\n9,2024-01,12\n16,2024-01,20\n9,2024-02,14\n16,2024-02,23\n',
  });
  expect(declaredLines(text)).toContain('hours: { type: integer, additive: all }');
});

test('a sentence tells rows apart only if nothing else does', async () => {
  const rows = [
    'Lewes,High,9200,Book a room and visit the old market early in the day.',
    'Lewes,Low,4700,Traveling during the week is the better choice for families.',
    'Rye,High,7200,Avoid the weekends if you want to have a quiet time.',
    'Rye,Low,2300,This is the best time to walk without any queue.',
  ];
  const text = await draftText({ 'tips.csv': `town,season,guests,advice\n${rows.join('\n')}\n` });
  expect(declaredLines(text)).toContain('key: [town, season]');
  const alone = await draftText({
    'tips.csv': `advice\n${rows.map((row) => row.split(',')[3]).join('\n')}\n`,
  });
  expect(declaredLines(alone)).toContain('key: [advice]');
});

test('the place of a file about one place is a part of the key, wherever its name says that it is one', async () => {
  const { text, metrics } = await drafted({
    'ai.csv':
      'date,abbreviation_canton_and_fl,beds\n2020-03-14,AI,2\n2020-03-16,AI,4\n2020-03-17,AI,5\n',
  });
  expect(declaredLines(text)).toContain('key: [abbreviation_canton_and_fl, date]');
  expect(metrics).toHaveLength(1);
});

test('a year that only the names of the columns tell is the period, with a CHECK', async () => {
  const { text, metrics, rows } = await drafted({
    'stations.csv': 'name_en,rank_2024,boardings_2024\nAlpha,1,666\nBeta,2,499\nGamma,3,434\n',
  });
  expect(declaredLines(text)).toContain('key: [name_en, year_start]');
  expect(metrics).toHaveLength(1);
  expect(rows.map(({ year_start, boardings }) => [year_start, boardings])).toContainEqual([
    '2024-01-01',
    '666',
  ]);
  expect(checks(text)[0]).toMatch(/^The year is that of the names of the columns, 2024\./);
});

test.each([
  ['another period', 'name_en,month,boardings_2024\nAlpha,2025-01,666\nBeta,2025-01,499\n'],
  [
    'most columns without it',
    'name_en,staff,doors,seats,boardings_2024\nAlpha,1,2,3,666\nBeta,2,1,4,499\n',
  ],
])('a year in the name of a column is no period beside %s', async (_, content) => {
  const text = await draftText({ 'stations.csv': content });
  expect(declaredLines(text)).toContain('boardings_2024: { type: integer');
});

test('people of an age add up, and flags and seconds do not', async () => {
  const text = await draftText({
    'areas.csv':
      'ref,area,Age: 0-4,Age: 85+,median_age,is_open,last_reported\n20718,Almond,1499,536,41,1,1745879801\n20719,Forth,2601,393,38,0,1745881971\n20720,Leith,1273,588,37,1,1745881999\n',
  });
  const lines = declaredLines(text);
  expect(lines).toContain("age_0_4: { type: integer, column: 'Age: 0-4', additive: all }");
  expect(lines).toContain("age_85: { type: integer, column: 'Age: 85+', additive: all }");
  expect(lines).toContain('median_age: { type: integer, additive: none }');
  expect(lines).toContain('is_open: { type: integer, additive: none }');
  expect(lines).toContain('last_reported:\n        type: date');
});

test('a count in the first column, with zeros, is no place, and the written day is before that of seconds in UTC', async () => {
  const rows = Array.from({ length: 48 }, (_, hour) => {
    const day = hour < 24 ? '2015-05-01' : '2015-05-02';
    const time = `${String(hour % 24).padStart(2, '0')}:00:00.0`;
    return {
      tallies: (hour * 7) % 5,
      date: `${day} ${time}`,
      timestamp: 1_430_431_200_000 + 3_600_000 * hour,
    };
  });
  const { text, records } = await drafted({ 'counter.json': JSON.stringify(rows) });
  expect(declaredLines(text)).toContain('key: [hour, date]');
  expect(declaredLines(text)).toContain('tallies: { type: integer, additive: all }');
  expect(totalOf(records, 'counter', 'tallies')).toBe(
    rows.reduce((sum, { tallies }) => sum + tallies, 0),
  );
});

test('years in other scripts and dates below headers in two languages are periods', async () => {
  const years = await draftText({ 'city.csv': '年度,births\n2011,969\n2012,903\n2013,900\n' });
  expect(declaredLines(years)).toContain('key: [year_start]');
  const days = await draftText({
    'rain.csv': '年/Year,月/Month,日/Day,數值/Value\n1884,3,1,0.5\n1884,3,2,1.5\n1884,4,1,2.5\n',
  });
  expect(declaredLines(days)).toContain('key: [date]');
});

test('the name of the file says that the columns for years are a number of people at a time', async () => {
  const content = 'town_id,2011,2012,2013\nA1,10,11,12\nB2,20,21,22\n';
  const people = await draftText({ 'population.csv': content });
  expect(declaredLines(people)).toContain('value: { type: integer, additive: places }');
  const events = await draftText({ 'events.csv': content });
  expect(declaredLines(events)).toContain('value: { type: integer, additive: all }');
  const numbers = await draftText({
    'population.csv': 'town_id,year,Number\nA1,2011,10\nA1,2012,11\nB2,2011,12\nB2,2012,12\n',
  });
  expect(declaredLines(numbers)).toContain(
    'number: { type: integer, column: Number, additive: places }',
  );
  const kinds = await draftText({
    'city.csv':
      'town_id,year,pop,male,births\nA1,2011,10,4,1\nA1,2012,11,5,2\nB2,2011,12,6,3\nB2,2012,12,6,4\n',
  });
  expect(declaredLines(kinds)).toContain('male: { type: integer, additive: places }');
  expect(declaredLines(kinds)).toContain('births: { type: integer, additive: all }');
});

test('numbers that say which or how good something is are no amounts', async () => {
  const header =
    'station,day,Validity,QN_9,time_interval,version,hausnummer,altitud,vmed,EKoord,createdate,cars';
  const rows = ['A,2024-01-01', 'B,2024-01-01', 'A,2024-01-02', 'B,2024-01-02'].map(
    (start, index) => `${start},1,3,${index},20220315,12,1800,57,2683009.5,20231016,${index + 7}`,
  );
  const { text, rows: records } = await drafted({ 'cars.csv': `${header}\n${rows.join('\n')}\n` });
  const additive = [...text.matchAll(/^ +(\w+): \{.* additive: (\w+) \}$/gm)];
  expect(additive.map(([, name, over]) => `${name} ${over}`)).toEqual([
    'validity none',
    'qn_9 none',
    'time_interval none',
    'version none',
    'hausnummer none',
    'altitud none',
    'vmed none',
    'e_koord none',
    'cars all',
  ]);
  expect(text).toContain('createdate: { type: date, format: YYYYMMDD }');
  expect(text).toContain('measure: { name: cars, field: cars, kind: count }');
  expect(records.map(({ cars }) => cars)).toEqual(['7', '9', '8', '10']);
});

test('numbers of eight digits that are all days are days', async () => {
  const rows = ['20240101', '20240102', '20240103'].flatMap((day) => [
    `US1,${day},PRCP,5`,
    `GM2,${day},PRCP,7`,
  ]);
  const { text, rows: records } = await drafted({ 'weather.csv': `${rows.join('\n')}\n` });
  expect(checks(text)).toContain(
    'All numbers are days, so they are read as such. If they are codes, write type: string. => column_2: { type: date, format: YYYYMMDD, column: 2 }',
  );
  expect(records[0]).toMatchObject({ column_1: 'GM2', column_2: '2024-01-01', column_4: '7' });
});

test('coordinates are found by names such as Longitude (x), and a text that all places share names none', async () => {
  const { text } = await drafted({
    'stations.csv':
      'site_id,namespace,title,Longitude (x),Latitude (y)\n1001,NET,North,-79.4,43.67\n1002,NET,South,-79.5,43.7\n',
  });
  expect(text).toContain('point: { latitude: latitude_y, longitude: longitude_x }');
  expect(text).toContain('name: title');
});
