// @module-tag slow

import { expect, test } from 'vitest';
import { checks, declaredLines, draftText } from './draft-of-files.ts';

/** Days in 2023 that follow no pattern. */
function dayOf(index: number): string {
  return new Date(Date.UTC(2023, 0, 1 + ((index * index * 7 + index * 31) % 361)))
    .toISOString()
    .slice(0, 10);
}

const STREETS = ['Main St', 'Oak Ave', 'Elm St', 'Pine Rd', 'Cedar Ln', 'Lake Blvd', 'Hill Rd'];
const DAYS = Array.from({ length: 30 }, (_, index) => index + 1);
const KINDS = ['Rear end', 'Angle', 'Sideswipe'];

/** Each street and day at most once. */
function crashes(count: number, row: (index: number, street: string) => string): string {
  const seen = new Set<string>();
  const rows: string[] = [];
  for (let index = 0; rows.length < count; index += 1) {
    const street = STREETS[(index * 3 + Math.floor(index / 5)) % STREETS.length] ?? '';
    const key = `${street} ${dayOf(index)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    rows.push(row(index, street));
  }
  return `${rows.join('\n')}\n`;
}

test('the key of events that is unique by chance is a CHECK, with the step that counts them', async () => {
  const text = await draftText({
    'crashes.csv': `crash_date,street,collision_type,injuries\n${crashes(40, (index, street) => `${dayOf(index)},${street},${KINDS[index % 3]},${index % 4}`)}`,
  });
  expect(checks(text)).toEqual([
    expect.stringMatching(
      /^Each row seems to be an event: only 40 of \d+ combinations of collision_type, crash_date have one, on days without a pattern\. So no two rows share the key by chance, and a later file with two such rows is refused\. If a column identifies each row, write it as the key\. If not, count the rows\. => key: \[collision_type, crash_date\]$/,
    ),
  ]);
  expect(text).toContain(`    # To count them by place and day, for a metric:
    # rows:
    #   - aggregate: { by: { street: '"street"', day: 'strptime(trim("crash_date"), ''%Y-%m-%d'')::DATE' }, values: { events: { count: '*' }, injuries: { sum: injuries } } }
    # key: [street, day]
    # period: { start: day, end: day }
    # fields: { street: { type: string }, day: { type: date }, events: { type: integer }, injuries: { type: integer } }
    key:`);
});

test.each([
  [
    'without a number',
    `date,borough,complaint_type\n${crashes(30, (index, street) => `${dayOf(index)},${street},${KINDS[index % 3]}`)}`,
  ],
  [
    'of inspected shops',
    `facility_name,address,inspection_date,score\n${crashes(30, (index, street) => `Cafe ${street},${index % 6} ${street},${dayOf(index)},${70 + (index % 30)}`)}`,
  ],
  [
    'with a time',
    `crash_datetime,street,injuries\n${crashes(40, (index, street) => `${dayOf(index)} ${String((index * 5) % 24).padStart(2, '0')}:15,${street},${index % 4}`)}`,
  ],
  [
    'with a point',
    `date,street,latitude,longitude,injuries\n${crashes(40, (index, street) => `${dayOf(index)},${street},38.${500 + ((index * 37) % 400)},-75.${500 + ((index * 53) % 400)},${index % 4}`)}`,
  ],
])('rows that seem to be events are a CHECK: %s', async (_, content) => {
  const found = checks(await draftText({ 'a.csv': content }));
  expect(found.filter((check) => check.startsWith('Each row seems to be an event'))).toHaveLength(
    1,
  );
});

test.each([
  [
    'places of which each has some days',
    `site,date,cases\n${STREETS.flatMap((street, place) => DAYS.flatMap((day) => ((day * 7 + place * 3) % 10 < 4 ? `${street},2023-03-${String(day).padStart(2, '0')},${day + place}` : []))).join('\n')}\n`,
  ],
  [
    'weekly samples on other weekdays',
    `site,date,nitrate\n${STREETS.flatMap((street, place) => Array.from({ length: 8 }, (__, week) => `${street},${new Date(Date.UTC(2023, 0, 1 + place + week * 7)).toISOString().slice(0, 10)},${place + week / 8}`)).join('\n')}\n`,
  ],
  [
    'one place',
    `date,visits,weather\n${DAYS.map(dayOf)
      .filter((day, index, all) => all.indexOf(day) === index)
      .map((day, index) => `${day},${index * 37},${index}a`)
      .join('\n')}\n`,
  ],
])('places by day are no events: %s', async (_, content) => {
  const text = await draftText({ 'a.csv': content });
  expect(declaredLines(text)).toContain('key: [');
  expect(text).not.toContain('seems to be an event');
});
