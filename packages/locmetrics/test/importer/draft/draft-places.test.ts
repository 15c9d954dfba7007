import { expect, test } from 'vitest';
import { checks, declaredLines } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

/** Values of places by month, beside what is the same in each month. */
function visits(columns: string, values: (place: number) => string): string {
  const rows = ['2024-01', '2024-02'].flatMap((month, index) =>
    [1, 2, 3].map((place) => `p${place},${values(place)},${month},${10 * place + index}`),
  );
  return `place_id,${columns},month,visits\n${rows.join('\n')}\n`;
}

test('a count that a place always has is added up in the places, and the metric stays', async () => {
  const { text, metrics } = await drafted({
    'visits.csv': visits(
      'name,lat,lon,staff',
      (place) => `Place ${place},4${place}.5,-9${place},7`,
    ),
  });
  expect(text).toContain('staff: { type: integer, additive: all }');
  expect(text).not.toContain('left out');
  expect(metrics).toHaveLength(1);
});

test('places without points are a layer too, with the values of each period', async () => {
  const { text, records, metrics } = await drafted({
    'visits.csv': visits('name', (place) => `Place ${place}`),
  });
  expect(declaredLines(text)).toContain(`layers:
  visits_places:
    dataset: town.visits_places
    feature_id: place_id
    name: name`);
  expect([...records].map(([name, rows]) => [name.replace(/.*\./, ''), rows.length])).toEqual([
    ['visits', 6],
    ['visits_places', 3],
  ]);
  expect(metrics).toHaveLength(1);
});

test('a column of places is enough for a metric', async () => {
  const { text, metrics } = await drafted({
    'cases.csv':
      'county,date,cases\nKing,2020-03-01,10\nKing,2020-03-02,12\nPierce,2020-03-01,3\nPierce,2020-03-02,4\n',
  });
  expect(checks(text)).toEqual([
    "Places are told apart by their names alone, such as 'King': two places with one name would be one, and another spelling would be another place. If there is a code for them, add it to the file, and write it here instead of county. => key: [county]",
  ]);
  expect(text).toContain('    # No column seems to be a name.\n    name: county\n');
  expect(metrics).toHaveLength(1);
});

test.each([
  ['codes', 'station,month,n\nPEA1,2024-01,1\nPEA2,2024-01,2\nPEA1,2024-02,3\nPEA2,2024-02,4\n'],
  ['a code beside the name', 'id,name,lat,lng\nA1,Alpha,38.5,-75.5\nB2,Beta,38.6,-75.4\n'],
])('%s are no names alone', async (_, content) => {
  const { text } = await drafted({ 'a.csv': content });
  expect(checks(text)).toEqual([]);
});

test('one period is enough for a metric', async () => {
  const { text, metrics } = await drafted({
    'week.csv':
      'place_id,date_range_start,date_range_end,visits\na,2020-09-07,2020-09-13,5\nb,2020-09-07,2020-09-13,6\n',
  });
  expect(text).toContain('key: [place_id, date_range_start]');
  expect(text).toContain('cadence: weekly_mon_sun');
  expect(metrics).toHaveLength(1);
});

test('the places of another file come before those of the values', async () => {
  const { text, records, metrics } = await drafted({
    'stations.csv': 'id,title,lat,lon\np1,One,41.5,-91\np2,Two,42.5,-92\np3,Three,43.5,-93\n',
    'visits.csv': visits('name', (place) => `Place ${place}`),
  });
  expect([...records.keys()].map((name) => name.replace(/.*\./, ''))).toEqual([
    'stations',
    'visits',
  ]);
  expect(text).toContain('feature_id: place_id');
  expect(metrics).toHaveLength(1);
});

test('values that are the same in all periods are still values', async () => {
  const { text, metrics } = await drafted({
    'beds.csv':
      'hospital,name,year,beds\nh1,One,2020,10\nh1,One,2021,10\nh2,Two,2020,20\nh2,Two,2021,20\n',
  });
  expect(text).toContain('measure: { name: beds');
  expect(metrics).toHaveLength(1);
});

test('hours and categories are no places', async () => {
  const { metrics } = await drafted({
    'counts.csv':
      'type,date,count\nbike,2024-01-01,10\nbike,2024-01-02,12\nfoot,2024-01-01,3\nfoot,2024-01-02,4\n',
  });
  expect(metrics).toEqual([]);
});

test('an hour, an age and the number of a country are no measures of a metric beside others', async () => {
  const lines = ['AFG,4', 'ALB,8'].flatMap((country) =>
    [2001, 2002, 2003].flatMap((year) =>
      ['0-4,0', '5-9,5', '10-14,10'].map(
        (age, index) => `${country},${year},${age},${index + 100}`,
      ),
    ),
  );
  const { text } = await drafted({
    'a.csv': `country,iso_num,year,age_group,age_group_start,value\n${lines.join('\n')}\n`,
  });
  expect(text).toContain('measure: { name: value, field: value, kind: count }');
  expect(text).not.toContain('supporting_values');
  expect(text).toContain('iso_num: { type: string }');
});

test('places of which two have one name, and others one point, are told apart by both', async () => {
  const { text, rows } = await drafted({
    'cities.csv':
      'name,lat,lng\nSan Luis,13.5,-80.25\nSan Luis,13.75,-81.5\nOrdino,42.5,1.5\nEncamp,42.5,1.5\n',
  });
  expect(text).toContain('key: [place_id]');
  expect(text).not.toContain('duplicates');
  expect(rows).toHaveLength(4);
});

test('the other end of ways between places of one layer is related to it', async () => {
  const ways = ['2024-01', '2024-02'].flatMap((month) =>
    ['A', 'B', 'C'].flatMap((origin) =>
      ['A', 'B', 'C'].map((destination, index) => `${origin},${destination},${month},${index + 5}`),
    ),
  );
  const { text } = await drafted({
    'trips.csv': `origin,destination,month,trips\n${ways.join('\n')}\n`,
    'zones.csv': 'zone,name,lat,lon\nA,Alpha,50.1,8.1\nB,Beta,50.2,8.2\nC,Gamma,50.3,8.3\n',
  });
  expect(text).toContain('feature_id: origin');
  expect(text).toContain('related: { layer: zones, feature_id: destination }');
  expect(text).not.toContain('dimensions:');
});

test('counts of weekdays and weekends are measures', async () => {
  const lines = ['2024-01', '2024-02'].flatMap((month) =>
    [0, 1, 2].map((hour) => `11,${month},${hour},${40 + hour},${10 + hour},${5 + hour}`),
  );
  const { text } = await drafted({
    'a.csv': `site,month,hour,weekday,sat,sun\n${lines.join('\n')}\n`,
  });
  expect(text).toContain('measure: { name: weekday, field: weekday, kind: count }');
  expect(text).toContain('{ name: sat, field: sat, kind: count }');
});

test('a name that all rows have is the place, within the areas that some rows have', async () => {
  const { rows } = await drafted({
    'mobility.csv': `geo_type,region,sub-region,country,date,value
county,Washington County,Oregon,United States,2020-05-01,100.5
county,Washington County,Utah,United States,2020-05-01,90.25
country/region,Albania,,,2020-05-01,85.5
sub-region,Georgia,,United States,2020-05-01,80.5
country/region,Georgia,,,2020-05-01,70.75
`,
  });
  expect(rows.map(({ place_id, value }) => [place_id, value])).toEqual([
    ['Albania', '85.5'],
    ['Georgia', '70.75'],
    ['Georgia / United States', '80.5'],
    ['Washington County / Oregon / United States', '100.5'],
    ['Washington County / Utah / United States', '90.25'],
  ]);
});

test('a first column of numbers that some rows lack is no place', async () => {
  const { text } = await drafted({
    'claims.csv': `v4_1,Marking,Quarter,code,sex
12,,2023 Q1,E1,female
13,,2023 Q1,E1,male
,x,2023 Q1,S1,female
15,,2023 Q1,S1,male
16,,2023 Q2,E1,female
17,,2023 Q2,E1,male
18,,2023 Q2,S1,female
,x,2023 Q2,S1,male
`,
  });
  expect(declaredLines(text)).toContain('key: [code, sex, quarter_start]');
});

test('of texts in other scripts, the name of the station is the place, and not its line', async () => {
  const rows = ['20240101', '20240102', '20240103'].flatMap((day) => [
    `${day},2호선,강남,11`,
    `${day},1호선,서울역,12`,
    `${day},4호선,서울역,13`,
    `${day},2호선,홍대입구,14`,
  ]);
  const { text } = await drafted({
    'subway.csv': `사용일자,노선명,역명,승차총승객수\n${rows.join('\n')}\n`,
  });
  expect(declaredLines(text)).toContain('feature_id: column_3');
  expect(declaredLines(text)).toContain('dimensions:\n      column_2: {');
});

test('a code that stands for several stations is doubtful', async () => {
  const machines = [
    'A002,02-00,59 ST',
    'A002,02-01,59 ST',
    'R101,02-00,FERRY',
    'N506,02-06,HERALD',
  ];
  const rows = machines.flatMap((machine, index) =>
    [1, 2, 3].map((day) => `${machine},2024-01-0${day},${((index + 2) * 37 * day) % 50}`),
  );
  const { text } = await drafted({
    'a.csv': `unit,scp,station,date,entries\n${rows.join('\n')}\n`,
  });
  expect(text.replaceAll(/\n *# {3}/g, ' ')).toContain(
    "CHECK: '02-00' has several values of station",
  );
});

test('the two ends of a way are not several places of a code, and the doubt of names names the place', async () => {
  const ways = ['A,B', 'A,C', 'B,A', 'B,C', 'C,A', 'C,B'];
  const rows = ways.flatMap((way) =>
    [1, 2, 3].map((month) => {
      const [from = '', to = ''] = way.split(',');
      return `10${from.charCodeAt(0)},${from},11${to.charCodeAt(0)},${to},2024-0${month},${way.charCodeAt(0) * month}`;
    }),
  );
  const { text } = await drafted({
    'a.csv': `origin_id,origin,dest_airport_id,dest,month,passengers\n${rows.join('\n')}\n`,
  });
  expect(text).not.toContain('has several values of');
  const crimes = ['Theft of cars', 'Robbery'].flatMap((kind) =>
    ['Old Town', 'New Town', 'Harbour'].flatMap((district) =>
      [1, 2].map(
        (month) => `${kind},${district},2024-0${month},${kind.length * month + district.length}`,
      ),
    ),
  );
  const named = await drafted({ 'b.csv': `kind,district,month,cases\n${crimes.join('\n')}\n` });
  expect(checks(named.text).join(' ')).toContain('write it here instead of district');
});

test('of a branch and a town, the town is the place', async () => {
  const rows = ['2024-01', '2024-02'].flatMap((month, at) =>
    ['bau', 'handel'].flatMap((branch, index) =>
      ['Wil', 'Uzwil'].map((town, one) => `${branch};${town};${month};${100 + at + index + one}`),
    ),
  );
  const { text } = await drafted({
    'jobs.csv': `branche;ort;monat;betriebe\n${rows.join('\n')}\n`,
  });
  expect(text).toContain('feature_id: ort');
});
