import { expect, test } from 'vitest';
import { checks, declaredLines, draftText, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const FLAGS = 'CHECK: Some numbers have a flag behind them, which value_flag has: ';

const CSV = `freq,unit,geo\\TIME_PERIOD,2020,2021,2022
A,NR,AT,100,110,120 p
A,NR,BE,200 b,: ,220
A,NR,DE,: c,310,320 ep
`;

const TSV = `freq,nace_r2,unit,geo\\TIME_PERIOD\t2023-01 \t2023-02 \t2023-03 
M,I551,NR,AT\t1000 \t1102.5 p\t120 
M,I551,NR,BE\t200 b\t: \t220 
M,I552,NR,AT\t: c\t310 \t320 e
M,I552,NR,BE\t1 \t310 \t320 
`;

test('areas and years of a table of statistics, with the flags of the values', async () => {
  const { text, records, metrics } = await drafted({ 'pop.csv': CSV });
  const [values = [], places = []] = records.values();
  expect(valuesOfFields(values, ['unit', 'geo', 'year_start', 'value', 'value_flag'])).toEqual([
    ['NR', 'AT', '2020-01-01', '100', null],
    ['NR', 'AT', '2021-01-01', '110', null],
    ['NR', 'AT', '2022-01-01', '120', 'p'],
    ['NR', 'BE', '2020-01-01', '200', 'b'],
    ['NR', 'BE', '2021-01-01', null, null],
    ['NR', 'BE', '2022-01-01', '220', null],
    ['NR', 'DE', '2020-01-01', null, 'c'],
    ['NR', 'DE', '2021-01-01', '310', null],
    ['NR', 'DE', '2022-01-01', '320', 'ep'],
  ]);
  expect(valuesOfFields(places, ['geo'])).toEqual([['AT'], ['BE'], ['DE']]);
  expect(metrics).toHaveLength(1);
  expect(text).toContain('feature_id: geo\n    cadence: yearly');
  expect(text.replaceAll(/\n *# {3}/g, ' ')).toContain(
    `${FLAGS}'p' (120 p), 'b' (200 b), 'ep' (320 ep), 'c' (: c).`,
  );
});

test('one column has what the table is divided by', async () => {
  const { text, records, metrics } = await drafted({ 'nights.tsv': TSV });
  const [values = []] = records.values();
  const fields = ['nace_r2', 'geo', 'month_start', 'value', 'value_flag'];
  expect(valuesOfFields(values, fields)).toHaveLength(12);
  expect(valuesOfFields(values, fields).filter(([nace]) => nace === 'I551')).toEqual([
    ['I551', 'AT', '2023-01-01', '1000.0', null],
    ['I551', 'AT', '2023-02-01', '1102.5', 'p'],
    ['I551', 'AT', '2023-03-01', '120.0', null],
    ['I551', 'BE', '2023-01-01', '200.0', 'b'],
    ['I551', 'BE', '2023-02-01', null, null],
    ['I551', 'BE', '2023-03-01', '220.0', null],
  ]);
  expect(metrics).toHaveLength(1);
  expect(text).toContain('delimiter: tab');
  expect(text).toContain('key: [nace_r2, geo, month_start]');
  expect(text).toContain('nace_r2: { value: nace_r2, completeness: relaxed }');
});

test.each([
  ['no time', 'freq,unit,geo\\time\t2020 \t2021 \nA,NR,AT\t1 \t2 \nA,NR,BE\t3 \t: \n', 4],
  ['quotes', '"unit,geo\\time",2020,2021\n"NR,AT",1,2\n"NR,BE",3,4\n', 4],
  ['a semicolon', 'unit,geo\\time;2020;2021\nNR,AT;1,5;2\nNR,BE;3,5;4\n', 4],
  ['weeks', 'unit,geo\\time\t2020-W01 \t2020-W02 \nNR,AT\t1 \t2 \nNR,BE\t3 \t4 \n', 4],
  ['quarters', 'unit,geo\\time\t2020-Q1 \t2020-Q2 \nNR,AT\t1 \t2 \nNR,BE\t3 \t4 \n', 4],
])('a small table of statistics with %s', async (_, content, count) => {
  const { text, records, metrics } = await drafted({ 'a.tsv': content });
  expect([...records.values()][0]).toHaveLength(count);
  expect(metrics).toHaveLength(1);
  expect(text).toContain('feature_id: geo');
});

test('all that the table is divided by is in the key, and the union is no country', async () => {
  const lines = ['BUS', 'PERS'].flatMap((purpose, first) =>
    ['DOM', 'FOR'].flatMap((resident, second) =>
      ['NR', 'PC'].flatMap((unit, third) =>
        ['I551', 'I552'].flatMap((nace, fourth) =>
          ['AT', 'BE', 'EU27_2020'].map((geo, fifth) => {
            const number = 1000 * (first + second + third + fourth + 1) + 5000 * fifth;
            return `A,${purpose},${resident},${unit},${nace},${geo}\t${number} \t${number + 1} u`;
          }),
        ),
      ),
    ),
  );
  const text = await draftText({
    'trips.tsv': `freq,purpose,c_resid,unit,nace_r2,geo\\TIME_PERIOD\t2021 \t2022 \n${lines.join('\n')}\n`,
  });
  expect(text).toContain('key: [purpose, c_resid, unit, nace_r2, geo, year_start]');
  expect(checks(text).some((check) => check.startsWith("Rows with geo 'EU27_2020'"))).toBe(true);
});

test('halves of years are periods, as columns and as rows', async () => {
  const wide = 'geo\\TIME_PERIOD,2023-S1,2023-S2,2024-S1\nAT,0.25,0.3 p,0.4\nBE,:,0.3,0.4\n';
  const long = 'shop,half,sales\nA1,H1 2023,5\nA1,H2 2023,6\nB2,H1 2023,7\nB2,H2 2023,8\n';
  const first = await drafted({ 'prices.csv': wide });
  expect(valuesOfFields(first.rows, ['geo', 'half_year_start', 'half_year_end', 'value'])).toEqual([
    ['AT', '2023-01-01', '2023-06-30', '0.25'],
    ['AT', '2023-07-01', '2023-12-31', '0.3'],
    ['AT', '2024-01-01', '2024-06-30', '0.4'],
    ['BE', '2023-01-01', '2023-06-30', null],
    ['BE', '2023-07-01', '2023-12-31', '0.3'],
    ['BE', '2024-01-01', '2024-06-30', '0.4'],
  ]);
  expect(first.metrics).toHaveLength(1);
  const second = await drafted({ 'sales.csv': long });
  expect(valuesOfFields(second.rows, ['shop', 'half_start', 'half_end', 'sales'])).toEqual([
    ['A1', '2023-01-01', '2023-06-30', '5'],
    ['A1', '2023-07-01', '2023-12-31', '6'],
    ['B2', '2023-01-01', '2023-06-30', '7'],
    ['B2', '2023-07-01', '2023-12-31', '8'],
  ]);
  expect(second.metrics).toHaveLength(1);
});

test.each([
  ['120 p', '130', '1’140 r', ['120', '130', '1140'], ['p', null, 'r']],
  ['12.5*', '13.5', '14', ['12.5', '13.5', '14.0'], ['*', null, null]],
  ['12.5p', '13.5', '14.0r', ['12.5', '13.5', '14.0'], ['p', null, 'r']],
  ['7 (e)', '8', '9 [1]', ['7', '8', '9'], ['(e)', null, '[1]']],
  ['1,200³', '1,300', '900', ['1200', '1300', '900'], ['³', null, null]],
])('numbers with flags: %s, %s and %s', async (first, second, third, numbers, flags) => {
  const { text, rows, metrics } = await drafted({
    'a.csv': `station;year;value\nA1;2021;"${first}"\nA1;2022;"${second}"\nA1;2023;"${third}"\nB2;2021;1\nB2;2022;2\nB2;2023;3\n`,
  });
  const own = rows.filter(({ station }) => station === 'A1');
  expect(valuesOfFields(own, ['value']).flat()).toEqual(numbers);
  expect(valuesOfFields(own, ['value_flag']).flat()).toEqual(flags);
  expect(checks(text).filter((check) => check.startsWith('Some numbers have a flag'))).toHaveLength(
    1,
  );
  expect(metrics).toHaveLength(1);
});

test.each([
  ['numbers of houses', 'house_no', ['12 b', '14', '16 c']],
  ['a unit that all have', 'weight', ['12 p', '14 p', '16 p']],
  ['codes', 'code', ['12 b', '14', '16 c']],
  ['letters at a number', 'lot', ['12b', '14', '16c']],
])('%s are no flags', async (_, column, texts) => {
  const text = await draftText({
    'a.csv': `name,${column}\n${texts.map((one, index) => `n${index},${one}\n`).join('')}`,
  });
  expect(text).not.toContain('_flag');
});

test('a name with a comma whose values have none stays one column', async () => {
  const text = await draftText({
    'a.csv': '"name,city",visits\n"A",1\n"B,Bern",2\n',
  });
  expect(text).toContain("name_city: { type: string, column: 'name,city' }");
});

test('every second row, with codes of the numbers above it, is left out, with a CHECK', async () => {
  const codes = (first: string) => `Codes,,${first},A\n`;
  const { text, rows, metrics } = await drafted({
    'a.csv': `Libellé,idBank,2023-T1,2023-T2\nAin,001,8.7,7.5\n${codes('A')}Aisne,002,5.5,9.6\n${codes('P')}`,
  });
  expect(checks(text)).toContain(
    "Leaves out 2 rows: 'Codes' has codes of the numbers above it: A, P. => - where: 'coalesce(trim(\"Libellé\"), '''') <> ''Codes'''",
  );
  expect(valuesOfFields(rows, ['id_bank', 'quarter_start', 'value'])).toEqual([
    ['001', '2023-01-01', '8.7'],
    ['001', '2023-04-01', '7.5'],
    ['002', '2023-01-01', '5.5'],
    ['002', '2023-04-01', '9.6'],
  ]);
  expect(metrics).toHaveLength(1);
});

test('every second row with numbers is kept', async () => {
  const { rows } = await drafted({
    'a.csv': 'name,sex,2021,2022\nAin,M,1,2\nAll,W,3,4\nBas,M,5,6\nAll,X,7,8\n',
  });
  expect(rows).toHaveLength(8);
});

test('labels below codes describe measures, and say which have no sum', async () => {
  const { text, records } = await drafted({
    'ACSST5Y2022.S1903-Data.csv': `"GEO_ID","NAME","S1903_C01_001E","S1903_C01_001M","S1903_C03_001E"
"Geography","Geographic Area Name","Estimate!!Number!!Workers in families","Margin of Error!!Number!!Workers in families","Estimate!!Median income (dollars)"
"1400000US01001020100","Tract 201, Autauga","100","12","41000"
"1400000US01001020200","Tract 202, Autauga","200","25","250,000+"
"1400000US01001020300","Tract 203, Autauga","300","31","52000"
`,
  });
  const lines = declaredLines(text);
  expect(lines).toContain(
    "description: 'Estimate: Number: Workers in families.'\n        additive: all",
  );
  expect(lines).toContain(
    "description: 'Margin of Error: Number: Workers in families.'\n        additive: none",
  );
  expect(lines).toContain(
    "description: 'Estimate: Median income (dollars).'\n        additive: none",
  );
  expect(lines).toContain("nulls: ['250,000+']");
  expect([...records.values()][0]?.[2]).toMatchObject({
    year_start: '2022-01-01',
    s1903_c01_001_e: '300',
    s1903_c03_001_e: '52000',
  });
});

test('a title about inhabitants says that numbers do not add up over periods', async () => {
  const draft = (title: string) =>
    draftText({
      'a.csv': `${title}\nGeography,Q1 2023,Q2 2023,Q3 2023\nOntario,15,16,17\nQuebec,8,9,9\n`,
    });
  expect(declaredLines(await draft('Population estimates'))).toContain(
    'value: { type: integer, additive: places }',
  );
  expect(declaredLines(await draft('Births by population group'))).toContain(
    'value: { type: integer, additive: all }',
  );
});

test('six digits in a column called a date are days of two-digit years, with a CHECK', async () => {
  const rows = ['230101', '230102', '230131'].flatMap((day) => [`A1;${day};5`, `B2;${day};7`]);
  const { text, rows: records } = await drafted({
    'cars.csv': `site;Datum;cars\n${rows.join('\n')}\n`,
  });
  expect(text).toContain('datum: { type: date, format: YYMMDD, column: Datum }');
  expect(checks(text)[0]).toContain("the century is assumed: '230101' is of 2023");
  expect(records.map(({ datum }) => datum)).toContain('2023-01-31');
});

test('less than a number is an absent value, with a CHECK', async () => {
  const { text, rows } = await drafted({
    'a.csv':
      'station_id,month,trips\nA1,2023-07,1200\nB2,2023-07,Less than 50\nA1,2023-08,1300\nB2,2023-08,70\n',
  });
  expect(declaredLines(text)).toContain('nulls: [Less than 50]');
  expect(rows.map(({ trips }) => trips)).toEqual(['1200', '1300', null, '70']);
});

test('a name that repeats its code is that code, and a text of all rows says what the values are', async () => {
  const rows = [2021, 2022].flatMap((year) =>
    ['10050: Albury', '10180: Armidale', '11650: Canada Bay'].map(
      (region, index) =>
        `ERP: Estimated Resident Population,${region},${year},${100 * index + year}`,
    ),
  );
  const { text, rows: records } = await drafted({
    'abs.csv': `MEASURE: Measure,REGION: Region,TIME_PERIOD: Time Period,OBS_VALUE\n${rows.join('\n')}\n`,
  });
  expect(text).toContain('key: [region, year_start]');
  expect(text).toContain('obs_value: { type: integer, column: OBS_VALUE, additive: places }');
  expect(records.map((row) => row['year_start'])).toContain('2022-01-01');
});

test.each([
  ['Bevoelkerungsstand__Anzahl', ''],
  ['Personer', '"07459: Befolkning, etter region"\n\n'],
])('a number of inhabitants adds up over places alone: %s', async (measure, title) => {
  const { text } = await drafted({
    'a.csv': `${title}region,year,${measure}\nOslo,2022,610\nBergen,2022,280\nOslo,2023,620\nBergen,2023,290\n`,
  });
  expect(text).toMatch(/type: integer,?\s+column: \w+,?\s+additive: places/);
});

test('values of several kinds in one column are not added up, with a CHECK', async () => {
  const rows = ['2023-01', '2023-02'].flatMap((month, at) =>
    ['Torino', 'Milano'].flatMap((city, index) => [
      `${city},arrivi,${month},${100 + at + index}`,
      `${city},presenze,${month},${250 + at + 3 * index}`,
    ]),
  );
  const { text } = await drafted({
    'a.csv': `Territorio,Tipo dato,TIME,Value\n${rows.join('\n')}\n`,
  });
  expect(text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    'CHECK: The rows have several kinds of values, by tipo_dato, so a sum of all of them means nothing.',
  );
  expect(text).toContain('value: { type: integer, column: Value, additive: none }');
});
