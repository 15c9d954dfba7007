// @module-tag slow

import { expect, test } from 'vitest';
import { drafted } from './draft-under-test.ts';

/** The rows of all combinations, as text below a header. */
function table(
  header: string,
  rows: readonly (readonly (string | number)[])[],
  divider = ',',
): string {
  return `${[header, ...rows.map((row) => row.join(divider))].join('\n')}\n`;
}

function keyOf(text: string): string | undefined {
  return /^ {4}key: (.*)$/m.exec(text)?.[1];
}

test('the id of a site belongs to the key beside a month and an hour, and is not added up', async () => {
  const rows = [101, 102].flatMap((site) =>
    [1, 2].flatMap((month) => [0, 1, 2].map((hour) => [site, month, hour, site + hour, hour * 7])),
  );
  const { text, rows: records } = await drafted({
    'a.csv': table('site,month,hour,sat,sun', rows),
  });
  expect(keyOf(text)).toBe('[site, month, hour]');
  expect(text).not.toContain('duplicates');
  expect(records).toHaveLength(12);
  expect(records[0]).toMatchObject({ site: '101', month: '1', hour: '0', sat: '101', sun: '0' });
});

test('a year in Spanish is a period of the key, and is not added up', async () => {
  const rows = [6007, 6014].flatMap((place) => [2018, 2019].map((year) => [place, year, 120]));
  const { text, rows: records } = await drafted({
    'a.csv': table('partido;anio;ha', rows, ';'),
  });
  expect(keyOf(text)).toBe('[partido, year_start]');
  expect(text).toContain('period: { start: year_start, end: year_end }');
  expect(records[0]).toMatchObject({
    partido: '6007',
    year_start: '2018-01-01',
    year_end: '2018-12-31',
    ha: '120',
  });
});

test('codes of places come before their names, also as whole numbers', async () => {
  const county = await drafted({
    'a.csv':
      'STATE,COUNTY,STNAME,CTYNAME,POP\n1,1,Alabama,Union County,10\n1,3,Alabama,Lee County,20\n5,1,Arkansas,Clay County,30\n5,3,Arkansas,Polk County,40\n',
  });
  expect(keyOf(county.text)).toBe('[geoid]');
  const district = await drafted({
    'a.csv': 'district,name,value\n1001,Alton,55\n1002,Bexley,66\n1003,Corby,77\n1004,Derby,66\n',
  });
  expect(keyOf(district.text)).toBe('[district]');
  expect(district.text).toContain('district: { type: string }');
  expect(district.rows.map((row) => row['district'])).toEqual(['1001', '1002', '1003', '1004']);
});

test('a code that other files have comes before one that they do not have', async () => {
  const { text } = await drafted({
    'a.csv':
      'COUNTYNS,GEOID,NAME,ALAND\n00161526,01001,Autauga,594\n00161527,01003,Baldwin,1589\n00161528,01005,Barbour,885\n',
  });
  expect(keyOf(text)).toBe('[geoid]');
});

test('the key has no more fields than it needs', async () => {
  const rows = ['K1', 'K2'].flatMap((place) =>
    [1, 2, 8].flatMap((day) =>
      [7, 8].map((hour) => [place, hour, day > 7 ? 2 : 1, `2024-01-0${day}`, day * hour]),
    ),
  );
  const { text } = await drafted({ 'a.csv': table('location,hour,week_no,date,n', rows) });
  expect(keyOf(text)).toBe('[location, hour, date]');
});

test('neither a measure nor an hour is a key by itself', async () => {
  const hours = await drafted({
    'a.csv': 'hour,name,visits\n7,North,10\n8,South,20\n9,East,30\n',
  });
  expect(keyOf(hours.text)).toBe('[name]');
  const measure = await drafted({
    'a.csv': 'value,name,date\n7,North,2024-01-01\n8,South,2024-01-02\n9,South,2024-01-03\n',
  });
  expect(keyOf(measure.text)).toBe('[name, date]');
});

test('a code that one kind of rows lacks is filled with the next one, and no row is lost', async () => {
  const rows = ['2020-03-01', '2020-03-02'].flatMap((day, index) => [
    ['CH', '', '', '', '', day, 1 + index],
    ['CH', 'Zurich', '', 'CH-ZH', '', day, 10 + index],
    ['US', '', '', '', '', day, 100 + index],
    ['US', 'Alabama', '', 'US-AL', '', day, 1000 + index],
    ['US', 'Alabama', 'Autauga', '', '01001', day, 10_000 + index],
    ['US', 'Alabama', 'Baldwin', '', '01003', day, 20_000 + index],
  ]);
  const { text, rows: records } = await drafted({
    'a.csv': table('country_code,region_1,region_2,iso_3166_2_code,fips_code,date,visits', rows),
  });
  expect(keyOf(text)).toBe('[place_id, date]');
  expect(text).toContain('coalesce(');
  expect(text).not.toContain('Leaves out');
  expect(
    Object.fromEntries(records.map((row) => [`${row['place_id']} ${row['date']}`, row['visits']])),
  ).toMatchObject({
    'CH 2020-03-01': '1',
    'CH-ZH 2020-03-02': '11',
    'US 2020-03-01': '100',
    '01003 2020-03-02': '20001',
  });
  expect(records).toHaveLength(12);
});

test('places without the code that others have are filled with their names', async () => {
  const rows = ['2020-03-01', '2020-03-02'].flatMap((day) => [
    [day, 'US', 'Alabama', 'Lee', '01001', 1],
    [day, 'US', 'Georgia', 'Lee', '', 2],
    [day, 'US', 'Texas', 'Lee', '', 3],
    [day, 'US', 'Texas', 'Ward', '48475', 4],
    [day, 'US', '', '', '', 10],
  ]);
  const { text, rows: records } = await drafted({
    'a.csv': table('date,country_code,admin1,admin2,fips,samples', rows),
  });
  expect(keyOf(text)).toBe('[place_id, date]');
  expect(records).toHaveLength(10);
  const ids = records.map((row) => row['place_id']);
  expect(new Set(ids).size).toBe(5);
  expect(ids).toContain('48475');
});

test('a province that most countries lack is filled with the country', async () => {
  const rows = ['2020-03-01', '2020-03-02'].flatMap((day) => [
    ['', 'Denmark', day, 1],
    ['Greenland', 'Denmark', day, 2],
    ['', 'Norway', day, 3],
  ]);
  const { rows: records } = await drafted({
    'a.csv': table('province,country,date,confirmed', rows),
  });
  expect(records.map((row) => [row['place_id'], row['confirmed']])).toContainEqual([
    'Denmark',
    '1',
  ]);
  expect(records).toHaveLength(6);
});

test('a blank that nothing else fills is a value of the key, with a CHECK', async () => {
  const sexes = await drafted({
    'a.csv':
      'region,year,sex,value\nN,2020,M,1\nN,2020,F,2\nN,2020,,3\nS,2020,M,4\nS,2020,F,5\nS,2020,,9\n',
  });
  expect(keyOf(sexes.text)).toBe('[region, sex, year_start]');
  expect(sexes.text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    "# CHECK: 2 rows have no sex, which is a part of the key: 'none' stands for it.",
  );
  expect(sexes.rows.map((row) => [row['region'], row['sex'], row['value']])).toContainEqual([
    'S',
    'none',
    '9',
  ]);
  const places = await drafted({
    'a.csv':
      'district,month,visits\nNorth,2024-01,10\n,2024-01,30\nNorth,2024-02,11\n,2024-02,32\n',
  });
  expect(keyOf(places.text)).toBe('[district, month_start]');
  expect(places.rows.map((row) => [row['district'], row['visits']])).toEqual([
    ['North', '10'],
    ['North', '11'],
    ['none', '30'],
    ['none', '32'],
  ]);
});

test('coordinates identify a place if nothing else does', async () => {
  const { text, rows, metrics, records } = await drafted({
    'a.csv':
      'lat,lng,date,count\n40.1,-75.1,2024-01-01,5\n40.2,-75.2,2024-01-01,7\n40.1,-75.1,2024-01-02,9\n',
  });
  expect(text).toContain('key: [place_id, date]');
  expect(metrics).toHaveLength(1);
  expect(rows.map((row) => row['place_id'])).toEqual(['40.1 / -75.1', '40.2 / -75.2']);
  expect([...records.values()][1]?.map((row) => row['count'])).toEqual(['5', '9', '7']);
});

test('a postal code is a place, but not beside an address', async () => {
  const cases = await drafted({
    'a.csv': 'date,zip,cases\n2024-01-01,10101,1\n2024-01-01,10102,2\n2024-01-02,10101,3\n',
  });
  expect(keyOf(cases.text)).toBe('[zip, date]');
  const shops = await drafted({
    'a.csv': 'name,street,zip,city\nAlpha,Main 1,10101,Ayton\nBeta,Main 2,10102,Byton\n',
  });
  expect(keyOf(shops.text)).toBe('[name]');
});

test('a whole number with a row for each of the other values is a part of the key, whatever its name', async () => {
  const rows = ['01001', '01003'].flatMap((county) =>
    [1, 2].flatMap((sex) =>
      [0, 1, 2].flatMap((group) =>
        [1, 2].map((year) => [`US${county}`, sex, group, year, Number(county) + group * year]),
      ),
    ),
  );
  for (const name of ['AGEGRP', 'GRUPPE']) {
    const { text, rows: records } = await drafted({
      'a.csv': table(`GEO_ID,SEX,${name},YEAR,TOT_POP`, rows),
    });
    expect(keyOf(text)).toBe(`[geo_id, sex, ${name.toLowerCase()}, year]`);
    expect(records).toHaveLength(24);
  }
});

test('the id of a row is no place beside the id of a sensor', async () => {
  const rows = [34, 39].flatMap((sensor) =>
    [17, 18].map((time) => [
      sensor * 100 + time,
      2019,
      11,
      1,
      time,
      sensor,
      `S${sensor}`,
      time * 3,
    ]),
  );
  const { text, metrics } = await drafted({
    'a.csv': table('ID,Year,Month,Mdate,Time,Sensor_ID,Sensor_Name,Hourly_Counts', rows),
  });
  expect(keyOf(text)).toBe('[time, sensor_id, month_start]');
  expect(text).toContain('measure: { name: hourly_counts, field: hourly_counts, kind: count }');
  expect(metrics).toHaveLength(1);
});

test('a number that never changes, or is a part of a date, is not the measure', async () => {
  const rows = [1001, 1002].flatMap((place) =>
    [1, 2].flatMap((month) => [0, 1, 2].map((hour) => [place, 1, 2023, month, hour, 7 * hour])),
  );
  const { text } = await drafted({
    'a.csv': table('Zaehlstelle;Land;Jahr;Monat;Stunde;Kfz', rows, ';'),
  });
  expect(keyOf(text)).toBe('[zaehlstelle, stunde, month_start]');
  expect(text).toContain('measure: { name: kfz, field: kfz, kind: count }');
});

test('a way without a destination is no other place', async () => {
  const { text, rows } = await drafted({
    'a.csv':
      'origin,destination,week,trips\nA,B,2024-W01,5\nA,,2024-W01,9\nB,A,2024-W01,6\nB,,2024-W01,7\n',
  });
  expect(keyOf(text)).toBe('[origin, destination, week_start]');
  expect(rows.map((row) => [row['origin'], row['destination'], row['trips']])).toContainEqual([
    'A',
    'none',
    '9',
  ]);
});

test('a number that each period has again is the place, and not the number of the row', async () => {
  const lines = [3, 7, 12, 15].flatMap((firm) =>
    [1977, 1978, 1979].map((year) => `${firm},${year},${firm * 1.5},${year - firm}`),
  );
  const numbered = lines.slice(1).map((line, index) => `${index + 1},${line}`);
  const { text, rows } = await drafted({
    'panel.csv': `"",firm,year,wage,employed\n${numbered.join('\n')}\n`,
  });
  expect(text).toContain('key: [firm, year_start]');
  expect(text).toContain('firm: { type: string }');
  expect(text).toContain('feature_id: firm');
  expect(rows).toHaveLength(11);
});

test('the short code of a county or a site belongs to its state in the key', async () => {
  const rows = [
    ['01', '003', '0010'],
    ['06', '037', '1103'],
    ['06', '001', '0009'],
  ].flatMap((codes) =>
    ['2023-01-01', '2023-01-02'].map((day, index) => [...codes, day, index + 7]),
  );
  const { text, rows: records } = await drafted({
    'air.csv': table('State Code,County Code,Site Num,Date Local,Reports', rows),
  });
  expect(keyOf(text)).toBe('[geoid, date_local]');
  expect(text).toContain('geoid: { type: string, column: [State Code, County Code, Site Num] }');
  expect(records.map(({ geoid }) => geoid)).toContain('060010009');
  const whole = await drafted({
    'a.csv': table('county_fips,state_fips,day,n', [
      ['01003', '01', '2023-01-01', 5],
      ['06037', '06', '2023-01-01', 6],
    ]),
  });
  expect(keyOf(whole.text)).toBe('[county_fips, day]');
});

test('a code that occurs for every place is no part of a place, even if it is blank in totals', async () => {
  const rows = [1, 2, 3].flatMap((area) =>
    [2021, 2022].flatMap((year) => [
      `${year}-12-31;0811${area};M;male;${area * area * 10 + year}`,
      `${year}-12-31;0811${area};W;female;${area * 17 + year}`,
      `${year}-12-31;0811${area};;all;${area * area * 10 + area * 17 + 2 * year}`,
    ]),
  );
  const { text, metrics } = await drafted({
    'a.csv': `time;area_code;sex_code;sex;value\n${rows.join('\n')}\n`,
  });
  expect(text).not.toContain('place_id');
  expect(text).toContain('feature_id: area_code');
  expect(text).toContain('totals: { sex: all }');
  expect(metrics).toHaveLength(1);
});

test('rows of totals without a period are left out, with a CHECK', async () => {
  const rows = [1, 3, 5].flatMap((code) => [
    `,County ${code},0100${code},2019,${20 + code}`,
    `,County ${code},0100${code},2020,${30 + code}`,
    `Total,County ${code},0100${code},,${50 + 2 * code}`,
  ]);
  const {
    text,
    rows: records,
    metrics,
  } = await drafted({
    'deaths.csv': `Notes,County,County Code,Year,Deaths\n${rows.join('\n')}\nTotal,,,,168\n`,
  });
  expect(text).toContain('key: [county_code, year_start]');
  expect(text.replaceAll(/\n *# {3}/g, ' ')).toContain(
    "CHECK: Leaves out 4 rows without a value for the key. The first one begins with 'Total'.",
  );
  expect(records).toHaveLength(6);
  expect(metrics).toHaveLength(1);
});

test('days that differ are the period, and not the years for which a place is known', async () => {
  const rows = [1, 2, 3].flatMap((arc) =>
    ['2024-02-01', '2024-02-02'].map(
      (day) => `${arc},${day},${arc}${day.slice(-1)},1996-10-10,2023-12-31`,
    ),
  );
  const { text, metrics } = await drafted({
    'a.csv': `arc_id,jour,comptage,date_debut,date_fin\n${rows.join('\n')}\n`,
  });
  expect(text).toContain('period: { start: jour, end: jour }');
  expect(metrics).toHaveLength(1);
});

test('the year of events with days of their own makes no metric of them', async () => {
  const rows = Array.from({ length: 40 }, (_, n) => {
    const day = `${String(1 + (n % 28)).padStart(2, '0')}/01/2022`;
    return `20220101${20000 + n},2022,${-0.1 - n / 1000},${51.5 + n / 1000},${day},${1 + (n % 3)}`;
  });
  const { text, metrics } = await drafted({
    'a.csv': `accident_index,accident_year,longitude,latitude,date,number_of_casualties\n${rows.join('\n')}\n`,
  });
  expect(text).toContain('key: [accident_index]');
  expect(metrics).toEqual([]);
});

test('numbers of one length, one for each name, are the codes of places', async () => {
  const rows = ['Tangente', 'Gürtel', 'Triester'].flatMap((name, place) =>
    [1, 2, 3, 4].flatMap((month) =>
      ['Zentrum', 'Auswärts', 'Ring'].map(
        (way, index) =>
          `2024,${month},${1081 + 4 * place},${name},${way},${(place * 31 + index * 17 + month * 7) % 97}`,
      ),
    ),
  );
  const { text, metrics } = await drafted({
    'a.csv': `jahr,monat,znr,zname,riname,fahrzeuge\n${rows.join('\n')}\n`,
  });
  expect(text).toContain('key: [znr, riname, month_start]');
  expect(text).toContain('znr: { type: string }');
  expect(text).toContain('feature_id: znr\n    name: zname');
  expect(text).toContain('feature_id: znr\n    cadence: monthly');
  expect(text).not.toContain('by their names alone');
  expect(metrics).toHaveLength(1);
});
