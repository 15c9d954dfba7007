import { expect, test } from 'vitest';
import { checks } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

/** Whole numbers that name something, as codes and levels do, and are no amounts. */

const DAYS = Array.from({ length: 12 }, (_, index) => index);

function table(header: string, of: (place: number, day: number) => string): string {
  const rows = DAYS.flatMap((day) => [1, 2, 3].map((place) => of(place, day)));
  return `${header}\n${rows.join('\n')}\n`;
}

const date = (day: number) => `2024-05-${String(day + 3).padStart(2, '0')}`;

test.each([
  [
    'the same in all rows',
    'scale',
    () => 23,
    '# All rows have the same value, as no amounts have.',
  ],
  ['years', 'edition', (place: number) => 2020 + place, '# All its values can be years'],
  ['few', 'obereg', (place: number) => 4 + place, '# CHECK: It has only 3 different values'],
  [
    'named as a category',
    'q_rr',
    (_: number, day: number) => day,
    '# Its name suggests a category',
  ],
  [
    'named for the order of rows',
    'sort_order',
    (place: number, day: number) => place + 3 * day,
    '# Its name suggests a category',
  ],
])('numbers that are %s are not added up, and no measure of a metric', async (_, name, of, why) => {
  const { text, metrics } = await drafted({
    'levels.csv': table(
      `station,date,${name},flow`,
      (place, day) =>
        `S${place},${date(day)},${of(place, day)},${100 * ((day * 5) % 7) + 7 * place}`,
    ),
  });
  expect(text).toContain(`${name}: { type: integer, additive: none }`);
  expect(text).toContain(why);
  expect(text).toContain('flow: { type: integer, additive: all }');
  expect(text).toContain('measure: { name: flow, field: flow, kind: count }');
  expect(text).not.toContain(`field: ${name}`);
  expect(metrics).toHaveLength(1);
});

test.each(['accidents', 'velos', 'value'])('%s can be few, and are added up', async (name) => {
  const { text } = await drafted({
    'few.csv': table(
      `station,date,${name}`,
      (place, day) => `S${place},${date(day)},${(place * day) % 4}`,
    ),
  });
  expect(text).toContain(`${name}: { type: integer, additive: all }`);
  expect(checks(text).join(' ')).not.toContain('different values');
});

test.each(['lanes', 'docks', 'stores'])('%s stay, and add up over places only', async (name) => {
  const { text } = await drafted({
    'few.csv': table(
      `station,date,${name},trips`,
      (place, day) => `S${place},${date(day)},${4 + 2 * place},${100 * day + place}`,
    ),
  });
  expect(text).toContain(`${name}: { type: integer, additive: places }`);
});

test('few values from 0 on are a count, with a CHECK, and zeros alone are added up', async () => {
  const { text } = await drafted({
    'few.csv': table(
      'station,date,homicide,arson',
      (place, day) => `S${place},${date(day)},${(place * day) % 4},0`,
    ),
  });
  expect(checks(text)).toContain(
    'It has only 4 different values, from 0 on, so it is taken for a count. If it names something, as codes and levels do, write additive: none. => homicide: { type: integer, additive: all }',
  );
  expect(text).toContain('arson: { type: integer, additive: all }');
});

test('codes that add up by chance are no proof of a total', async () => {
  const { text } = await drafted({
    'sexes.csv': table(
      'area,date,sex,code,wert',
      (place, day) =>
        `A1,${date(day)},${['', 'm', 'f', 'b'][place]},${place},${100 + 17 * place + day}`,
    ),
  });
  expect(text).not.toContain('are the sums of others');
});

test.each([
  ['several units', 'unit', ['USD', 'Persons', 'Percent'], 'The rows have several units, by unit'],
  [
    'means among them',
    'element',
    ['TMAX', 'PRCP', 'SNOW'],
    "The rows with element 'TMAX' seem to be",
  ],
])('values of %s have no sum', async (_, name, kinds, why) => {
  const { text } = await drafted({
    'values.csv': table(
      `area,date,${name},value`,
      (place, day) =>
        `A${(day % 4) + 1},${date(Math.floor(day / 4))},${kinds[place - 1]},${100 * place + ((day * 7) % 11)}`,
    ),
  });
  expect(text.replaceAll(/\n *# {3}/g, ' ')).toContain(`CHECK: ${why}`);
  expect(text).toContain('value: { type: integer, additive: none }');
});

test('years and months with zeros behind them are no seconds', async () => {
  const { text } = await drafted({
    'a.csv': table(
      'area_code,time_code,date,value',
      (place, day) => `0${place}000,${2018 + day}000000,${date(day)},${place * 100 + day}`,
    ),
  });
  expect(text).not.toContain('seconds since 1970');
});

test('a title that says that the values are means keeps them from being added up', async () => {
  const { text } = await drafted({
    'ridership.csv':
      'Average Daily Ridership,,,,\n\nRoute,2023-09,2023-10,2023-11,2023-12\nR1,900,950,970,990\nR2,80,85,60,75\n',
  });
  expect(text.replaceAll(/\n *# {3}/g, ' ')).toContain(
    "CHECK: The line 'Average Daily Ridership' above the table suggests values that have a mean",
  );
  expect(text).toContain('value: { type: integer, additive: none }');
});

test('day_cnt is a count, and no part of a date', async () => {
  const { text } = await drafted({
    'a.csv': table(
      'device_name,count_date,day_cnt,avg_speed',
      (place, day) =>
        `CB${place},${date(day)},${place * 100 + ((day * 7) % 12)},${12 + ((place * day) % 9)}`,
    ),
  });
  expect(text).toContain('measure: { name: day_cnt, field: day_cnt, kind: count }');
});

test('numbers that repeat a part of the date of their row are not added up, whatever their name', async () => {
  const { text, metrics } = await drafted({
    'parts.csv': table(
      'station,date,mdate,wk,flow',
      (place, day) =>
        `S${place},${date(day)},${day + 3},${day < 3 ? 18 : day < 10 ? 19 : 20},${50 * place + day}`,
    ),
  });
  expect(text).toContain(
    '# It is the day of the month of each row, which is no amount.\n      mdate: { type: integer, additive: none }',
  );
  expect(text).toContain('# It is the number of the week of each row, which is no amount.');
  expect(text).toContain('measure: { name: flow, field: flow, kind: count }');
  expect(text).not.toContain('field: mdate');
  expect(metrics).toHaveLength(1);
});
