// @module-tag slow

import { expect, test } from 'vitest';
import { checks, declaredLines, draftText } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

/** What a draft says about totals. */
async function totalsOf(content: string) {
  const { text, rows } = await drafted({ 'a.csv': content });
  const [, declared] = /^ {4}totals: (.*)$/m.exec(text) ?? [];
  const doubts = checks(text).filter((one) => /sums? of others/.test(one));
  return { declared, doubts, rowCount: rows.length };
}

test('a row of totals is declared if the numbers add up', async () => {
  expect(await totalsOf('county,n\nKent,10\nSussex,20\nAllen,5\nTotal,35\n')).toEqual({
    declared: '{ county: Total }',
    doubts: [
      `Rows with county 'Total' are the sums of others: n adds up. totals keeps callers from counting twice. To leave these rows out, delete totals, and add to rows: - where: '"county" <> ''Total''' => totals: { county: Total }`,
    ],
    rowCount: 4,
  });
});

test.each([
  ['a brand', 'brand,stations\nTotal,20\nShell,10\nBP,5\n'],
  ['a name that begins with All', 'church,seats\nAll Saints,300\nSt. Mary,200\nSt. Paul,150\n'],
  ['a mean', 'county,median_rent\nKent,10\nSussex,20\nTotal,30\n'],
  ['one part', 'county,n\nKent,10\nTotal,10\n'],
  [
    'a dimension with equal sums',
    'direction,day,n\nin,2024-01-01,5\nout,2024-01-01,5\nin,2024-01-02,7\nout,2024-01-02,7\n',
  ],
])('without sums there are no totals: %s', async (_, content) => {
  expect(await totalsOf(content)).toMatchObject({ declared: undefined, doubts: [] });
});

test.each([
  [
    'Insgesamt',
    'Kanton;Jahr;Anzahl\nInsgesamt;2022;30\nBern;2022;10\nZug;2022;20\nInsgesamt;2023;33\nBern;2023;12\nZug;2023;21\n',
    '{ kanton: Insgesamt }',
  ],
  [
    'the beginning of a total',
    'region,n\nAll regions,60\nNorth,10\nSouth,20\nWest,30\n',
    '{ region: All regions }',
  ],
  [
    'rounded numbers',
    'region,n\nTotal,60001\nNorth,10000\nSouth,20000\nWest,30000\n',
    '{ region: Total }',
  ],
])('a word that begins a total: %s', async (_, content, declared) => {
  expect((await totalsOf(content)).declared).toBe(declared);
});

test('a total of which parts are missing is only doubtful', async () => {
  const { declared, doubts } = await totalsOf(
    'region,n\nTotal,63\nNorth,10\nSouth,20\nWest,30\nEast,\n',
  );
  expect(declared).toBeUndefined();
  expect(doubts).toHaveLength(1);
  expect(doubts[0]).toMatch(/^Rows with region 'Total' may be the sum of others/);
});

test('a total of which some parts are kept secret is one where all parts have a value', async () => {
  const rows = ['0001', '0042'].flatMap((school, at) =>
    [2021, 2022, 2023].flatMap((year, index) => {
      const sizes = [21 + at, 34 + index, 55];
      const shown = index === at ? sizes.map((size, grade) => (grade === 1 ? '*' : size)) : sizes;
      return [
        ...shown.map((size, grade) => `${year},${school},0${grade},${size}`),
        `${year},${school},All Grades,${sizes.reduce((sum, size) => sum + size)}`,
      ];
    }),
  );
  const { declared, doubts } = await totalsOf(
    `year,school code,grade,enrolled\n${rows.join('\n')}\n`,
  );
  expect(declared).toBe('{ grade: All Grades }');
  expect(doubts).toEqual([expect.stringContaining('enrolled adds up in 4 of 4 groups')]);
});

test('a total of which some part is kept secret in each group is only doubtful', async () => {
  const { declared, doubts } = await totalsOf('region,n\nTotal,95\nNorth,10\nSouth,20\nEast,x\n');
  expect(declared).toBeUndefined();
  expect(doubts).toEqual([expect.stringMatching(/^Rows with region 'Total' may be the sum/)]);
});

test('a total of a dimension is the default of the metric', async () => {
  const rows = ['01', '02', '03'].flatMap((id, index) =>
    ['2024-01', '2024-02'].flatMap((month) => [
      `${id},${month},all,${10 + index}`,
      `${id},${month},young,${4 + index}`,
      `${id},${month},old,6`,
    ]),
  );
  const { text, metrics } = await drafted({
    'stores.csv': 'id,name,lat,lng\n01,Alpha,38.5,-75.5\n02,Beta,38.6,-75.4\n03,Gamma,38.7,-75.3\n',
    'visits.csv': `store,month,age,visits\n${rows.join('\n')}\n`,
  });
  expect(declaredLines(text)).toContain('totals: { age: all }');
  expect(text).toContain('age: { value: age, completeness: relaxed, default: all }');
  expect(metrics).toHaveLength(1);
});

const LEVELS = `SUMLEV,ID,NAME,POP
040,10,Delaware,60
050,10001,Kent County,10
050,10003,New Castle County,30
050,10005,Sussex County,20
040,11,District,7
050,11001,District,7
`;

test('larger places by a level column are totals of the smaller ones', async () => {
  const { declared, doubts, rowCount } = await totalsOf(LEVELS);
  expect(declared).toBe("{ sumlev: '040' }");
  expect(doubts[0]).toMatch(/^Rows with sumlev '040' are the sums of others: pop adds up\./);
  expect(rowCount).toBe(6);
});

test('several levels of larger places are told', async () => {
  const { declared, doubts } = await totalsOf(`${LEVELS}010,1,United States,67\n`);
  expect(declared).toBeUndefined();
  expect(doubts.map((one) => one.slice(0, 46))).toEqual([
    "Rows with sumlev '010' are the sums of others:",
    "Rows with sumlev '040' are the sums of others:",
  ]);
});

test('a level column needs no known name if large numbers add up', async () => {
  const { declared } = await totalsOf(
    'gebiet,id,einwohner\nLand,L1,60123\nKreis,K1,10100\nKreis,K2,30000\nKreis,K3,20023\n',
  );
  expect(declared).toBe('{ gebiet: Land }');
});

test('names that begin as those of larger places are totals if the numbers add up', async () => {
  const { doubts } = await totalsOf(
    'ambito,n\nTotal,600\nProvincia de Ávila,100\nArenas,40\nArévalo,60\nProvincia de Burgos,500\nAranda,300\nMiranda,200\n',
  );
  expect(doubts.map((one) => one.split(':')[0])).toEqual([
    "Rows with ambito 'Total' are the sums of others",
  ]);
  const { doubts: names } = await totalsOf(
    'ambito,n\nProvincia de Ávila,100\nArenas,40\nArévalo,60\nProvincia de Burgos,500\nAranda,300\nMiranda,200\n',
  );
  expect(names).toEqual([
    `Rows with ambito that begins with 'Provincia de ' are the sums of others: n adds up. So that callers do not count twice, leave one level out: add to rows: - where: 'NOT starts_with("ambito", ''Provincia de '')' => key: [ambito]`,
  ]);
});

test.each([
  ['with a word', 'Total;;63\n', `where: 'coalesce(trim("Kanton"), '''') <> ''Total'''`],
  ['without a word', ';;63\n', `where: 'trim("Kanton") <> '''''`],
])('a row of totals without a year is left out: %s', async (_, row, where) => {
  const head = 'Kanton;Jahr;Anzahl\n';
  const { text, rows } = await drafted({
    'a.csv': `${head}Bern;2022;10\nZug;2022;20\nBern;2023;12\nZug;2023;21\n${row}`,
  });
  expect(checks(text)[0]).toMatch(
    /^Leaves out the row that is the sum of the others, because it is no record: .*lacks (Jahr|Kanton)\./,
  );
  expect(text).toContain(where);
  expect(declaredLines(text)).toContain('key: [kanton, year_start]');
  expect(rows).toHaveLength(4);
  const other = await draftText({
    'a.csv': `${head}Bern;2022;10\nZug;2022;20\nBern;2023;12\nZug;2023;21\n${row.replace('63', '64')}`,
  });
  expect(other).not.toContain('is the sum of the others');
});

test('levels with few parts are told, and none of several is declared', async () => {
  const { declared, doubts } = await totalsOf(
    'geo_level,geo_id,year,pop\nnation,US,2020,1000\nstate,01,2020,400\nstate,02,2020,600\ncounty,01001,2020,150\ncounty,01003,2020,250\ncounty,02001,2020,600\n',
  );
  expect(declared).toBeUndefined();
  expect(doubts).toHaveLength(2);
});

test('a code that is the sum of the others is a total, whatever it is called', async () => {
  const row = (geo: string, sex: string, year: number, value: number) =>
    `${geo},${sex},${year},${value}\n`;
  const rows = (total: number) =>
    ['AT', 'BE'].flatMap((geo, place) =>
      [2019, 2020].flatMap((year) => {
        const [women, men] = [1000 + place + year, 900 - place];
        return [
          row(geo, 'F', year, women),
          row(geo, 'M', year, men),
          row(geo, 'T', year, women + men + total),
        ];
      }),
    );
  const { text, metrics } = await drafted({
    'a.csv': `geo,sex,year,people\n${rows(0).join('')}`,
  });
  expect(checks(text)[0]).toMatch(/^Rows with sex 'T' are the sums of others: people adds up in 4/);
  expect(text).toContain('totals: { sex: T }');
  expect(text).toContain('sex: { value: sex, completeness: relaxed, default: T }');
  expect(metrics).toHaveLength(1);
  const other = await draftText({ 'a.csv': `geo,sex,year,people\n${rows(1).join('')}` });
  expect(other).not.toContain('totals:');
});

const places = (names: readonly string[]) =>
  [2001, 2002]
    .flatMap((year) => names.map((name, index) => `${name},${year},${(6 - index) * 1000 + year}`))
    .join('\n');

test.each([
  ['of countries and continents', ['World', 'Asia', 'Africa', 'China', 'Chad'], true],
  ['that another value exceeds', ['Asia', 'World', 'Africa', 'China', 'Chad'], false],
  ['that only begins a name', ['World of Games', 'Asia', 'Africa', 'China'], false],
])('the world is a doubt beside places of several levels: one %s', async (_, names, isDoubt) => {
  const { text } = await drafted({ 'a.csv': `place,year,people\n${places(names)}\n` });
  const doubt = "CHECK: Rows with place 'World' seem to be the sum of others";
  expect(text.includes(doubt)).toBe(isDoubt);
});

/** Jobs of counties in two years. */
function jobs(counties: readonly (readonly [string, number])[]): string {
  const rows = counties.flatMap(([county, count]) => [
    `${county},2019,${count}`,
    `${county},2020,${2 * count}`,
  ]);
  return `county,year,jobs\n${rows.join('\n')}\n`;
}

test('a name that ends with Total is one if the numbers add up', async () => {
  const { text } = await drafted({
    'a.csv': jobs([
      ['Kent', 1000],
      ['Sussex', 2500],
      ['New Castle', 3700],
      ['Delaware Total', 7200],
    ]),
  });
  expect(text).toContain('totals: { county: Delaware Total }');
  expect(text).toContain("# CHECK: Rows with county 'Delaware Total' are the sums of others");
});

test('the totals of several states are a CHECK', async () => {
  const { text } = await drafted({
    'a.csv': jobs([
      ['Kent', 1000],
      ['Sussex', 2500],
      ['Delaware Total', 3500],
      ['Garrett', 400],
      ['Allegany', 900],
      ['Maryland Total', 1300],
    ]),
  });
  expect(text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    "# CHECK: Rows with county that ends with 'Total' are the sums of others: jobs adds up in 2 of 2 groups.",
  );
  expect(text.replaceAll(/\n +# {3}/g, ' ')).toContain("NOT ends_with(\"county\", '' Total'')");
});

test('a name that ends with Total among others is no total', async () => {
  const { text } = await drafted({
    'a.csv': jobs([
      ['Shell', 1000],
      ['Esso', 2500],
      ['Station Total', 3700],
    ]),
  });
  expect(text).not.toContain('sums of others');
  expect(text).not.toContain('totals:');
});

test('levels of places that do not add up are a doubt, and not every kind is a level', async () => {
  const lines = [2001, 2002].flatMap((year) =>
    ['US,0,900', 'CA,1,500', 'TX,1,300', '06001,2,90', '06003,2,80', '48001,2,70'].map(
      (place) => `${place},${year}`,
    ),
  );
  const table = (level: string) => ({
    'a.csv': `place,${level},people,year\n${lines.join('\n')}\n`,
  });
  const { text } = await drafted(table('admin_level'));
  expect(text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    'CHECK: Places of several levels are in one table, by admin_level: 0, 1, 2. So that callers do not count twice, leave all but one level out:',
  );
  expect((await drafted(table('kind'))).text).not.toContain('several levels');
});

const FAMILIES = `NUTS,2022,2023
AL,100,110
AL0,100,110
AL01,60,65
AL011,25,26
AL012,35,39
AL02,40,45
AL021,15,18
AL022,25,27
AT,900,910
AT1,400,405
AT11,50,52
EU27_2020,5000,5100
`;

test('codes that begin with others are levels if each is the sum of its own, though the table lacks parts of some', async () => {
  expect(await totalsOf(FAMILIES)).toMatchObject({ doubts: [] });
  const { text } = await drafted({ 'a.csv': FAMILIES });
  expect(checks(text).filter((one) => /several levels/.test(one))).toEqual([
    `The codes of nuts have several levels, such as AL, AL0, AL01, AL011, EU27_2020: longer codes begin with shorter ones, and their numbers add up. So that callers do not count twice, leave all but one level out: add to rows: - where: 'length("NUTS") = 5' => key: [nuts, year_start]`,
  ]);
});

test('codes that only begin alike are no levels', async () => {
  const { text } = await drafted({
    'a.csv': 'code,2022,2023\nA,100,110\nA1,60,65\nA2,45,46\nB,30,33\nB1,10,11\nB2,25,26\n',
  });
  expect(checks(text).filter((one) => /levels/.test(one))).toEqual([]);
});

test('rows without the name of a smaller place are totals if the others add up', async () => {
  const days = ['2020-03-16', '2020-03-17'].flatMap((day, index) => [
    `Wales,Powys,${index + 3},${day}`,
    `Wales,Newport,${index + 14},${day}`,
    `Wales,Swansea,${index + 23},${day}`,
    `Wales,,${index * 3 + 40},${day}`,
  ]);
  const { text } = await drafted({ 'a.csv': `country,council,cases,date\n${days.join('\n')}\n` });
  expect(checks(text)).toEqual([
    `Rows without council are the sums of others: cases adds up in 2 of 2 groups. So that callers do not count twice, leave one level out: add to rows: - where: 'trim("council") <> ''''' => key: [place_id, date]`,
    expect.stringMatching(/^The first of these .*: council, country\. These are names/),
  ]);
});

test('rows that lack several names at once are the totals of their kind', async () => {
  const rows = ['2022', '2023'].flatMap((year, index) => [
    `${year},Arrivals,,,${60 + index * 6}`,
    `${year},Arrivals,Plane,,${20 + index * 2}`,
    `${year},Arrivals,Cruise,,${40 + index * 4}`,
    `${year},Purpose,,,${30 + index * 3}`,
    `${year},Purpose,,Holidays,${20 + index * 2}`,
    `${year},Purpose,,Business,${10 + index}`,
  ]);
  const { text } = await drafted({ 'a.csv': `Year,Series,By,Reason,Value\n${rows.join('\n')}\n` });
  expect(checks(text).filter((one) => /sums? of others/.test(one))).toEqual([
    expect.stringMatching(
      /^Rows without any of By, Reason are the sums of others: value adds up in 4 of 4 groups/,
    ),
  ]);
});

test('a number of the key that stands for the sum of the others is a total', async () => {
  const rows = ['2021-03-01', '2021-03-02'].flatMap((day, index) =>
    ['01', '2A'].flatMap((area) => [
      `${area},0,${day},${30 + index}`,
      `${area},1,${day},${10 + index}`,
      `${area},2,${day},20`,
    ]),
  );
  const { declared, doubts } = await totalsOf(`dep,sexe,day,hosp\n${rows.join('\n')}\n`);
  expect(declared).toBe('{ sexe: 0 }');
  expect(doubts[0]).toContain("Rows with sexe '0' are the sums of others: hosp adds up in 4 of 4");
});

test('a total beside rows of a level between is found without these', async () => {
  const { declared, doubts } = await totalsOf(
    'name,level,n\nPest,"county, region",1300\nFejér,county,417\nVeszprém,county,342\nKomárom,county,300\nTransdanubia,region,1059\nTotal,country,2359\n',
  );
  expect(declared).toBe('{ name: Total }');
  expect(doubts).toHaveLength(2);
});

test('numbers that rows of each candidate repeat do not add up, with a CHECK', async () => {
  const rows = ['A', 'B', 'C'].flatMap((county, index) =>
    ['Red', 'Blue'].map(
      (party, at) => `${county},2020,${party},${10 * (index + 1) + at},${90 + index}`,
    ),
  );
  const { text, rows: records } = await drafted({
    'votes.csv': `county,year,candidate,votes,totalvotes\n${rows.join('\n')}\n`,
  });
  expect(checks(text)).toContain(
    'Rows that differ in candidate alone have the same value, so a sum would count it several times. If each row has an amount of its own, write additive: all. => totalvotes: { type: integer, additive: none }',
  );
  expect(text).toContain('votes: { type: integer, additive: all }');
  expect(records).toHaveLength(6);
});

test('the words of a total for each region and for the whole are found together', async () => {
  const rows = [
    ['E12', 'North', 'All local authorities', 300],
    ['E06', 'North', 'Durham', 100],
    ['E07', 'North', 'Darlington', 200],
    ['E13', 'South', 'All local authorities', 700],
    ['E22', 'South', 'Bath', 300],
    ['E23', 'South', 'Bristol', 400],
    ['K03', 'Great Britain', 'All local authorities', 1000],
  ];
  const { text } = await drafted({
    'meters_2022.csv': `code,region,local authority,meters\n${rows.map((row) => row.join(',')).join('\n')}\n`,
  });
  expect(text).toContain('totals: { local_authority: All local authorities }');
});

test('the id of a series identifies no place, so that the totals among its areas are found', async () => {
  const rows = ['2022-01', '2022-02', '2022-03'].flatMap((month, at) =>
    ['tourists', 'others'].flatMap((kind, index) => {
      const parts = [1000 + at, 2000 + 7 * index, 3000];
      const sum = parts.reduce((all, one) => all + one);
      return [
        `${month},Canada,${kind},v${10 + index},1.${index + 1},${sum}`,
        ...['Ontario', 'Quebec', 'Alberta'].map(
          (area, one) =>
            `${month},${area},${kind},v${20 + 2 * one + index},${one + 2}.${index + 1},${at === 1 && one === 1 ? '' : parts[one]}`,
        ),
      ];
    }),
  );
  const { text } = await drafted({
    'a.csv': `REF_DATE,GEO,Kind of traveller,VECTOR,COORDINATE,VALUE\n${rows.join('\n')}\n`,
  });
  expect(text).toContain('key: [geo, kind_of_traveller, month_start]');
  expect(text).toContain('totals: { geo: Canada }');
});
