import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { checks, draftText } from './draft-of-files.ts';
import { drafted, draftFor, publishDraft } from './draft-under-test.ts';

const COUNTS =
  'station,day,riders\nA,2024-01-01,5\nA,2024-01-01,7\nB,2024-01-01,30\nA,2024-01-02,1\nB,2024-01-02,2\n';

/** Drafts a file, and publishes the draft with one of its choices, or as it is. */
async function publishWith(content: string, choose: (text: string) => string) {
  await using folder = scopedFolder();
  await writeFile(join(folder.path, 'a.csv'), content);
  const draft = await draftFor(folder.path, [join(folder.path, 'a.csv')]);
  const text = choose(draft.text);
  const { records } = await publishDraft(folder.path, { ...draft, text });
  return [...records.values()][0] ?? [];
}

test('without a unique key a draft says in numbers what each choice does', async () => {
  await using folder = scopedFolder();
  await writeFile(join(folder.path, 'a.csv'), COUNTS);
  const { text } = await draftFor(folder.path, [join(folder.path, 'a.csv')]);
  expect(text.replaceAll(/\n +# {3}(?!-)/g, ' ')).toContain(
    '# CHECK: Rows with the key of another row: 1. 0 of them agree with it, and 1 differ. For example, station A, day 2024-01-01 has 2 rows. No field tells them apart, so nothing is published until you choose: another key, or one of these, without its #.',
  );
  expect(text).toContain(`    # rows:
    #   - duplicates: sum  # 4 records of 5 rows; total riders 45 as in the file
    #   - duplicates: first  # 4 records of 5 rows, 1 left out; total riders 38 of 45
    #   - duplicates: last  # 4 records of 5 rows, 1 left out; total riders 40 of 45
    #   - duplicates: min  # 4 records of 5 rows, 1 combined; total riders 38 of 45
    #   - duplicates: max  # 4 records of 5 rows, 1 combined; total riders 40 of 45
`);
});

test('it is not published until one is chosen, and then does what was said', async () => {
  await expect(publishWith(COUNTS, (text) => text)).rejects.toMatchObject({
    message: expect.stringContaining("station, day: 'A, 2024-01-01' is already in line 2."),
    hint: expect.stringMatching(
      /^Choose for .*: a key with more fields .* sum, first, last, min, max or same\.$/,
    ),
  });
  for (const [rule, total] of [
    ['sum', 45],
    ['first', 38],
    ['last', 40],
  ] as const) {
    const rows = await publishWith(COUNTS, (text) =>
      text
        .replace('    # rows:', '    rows:')
        .replace(`    #   - duplicates: ${rule} `, `      - duplicates: ${rule} `),
    );
    expect(rows).toHaveLength(4);
    expect(rows.reduce((sum, { riders }) => sum + Number(riders), 0)).toBe(total);
  }
});

test('the choices say which measures have no sum', async () => {
  await using folder = scopedFolder();
  await writeFile(
    join(folder.path, 'a.csv'),
    'station,day,mean_temp,reading\nA,2024-01-01,1.5,-1.5\nA,2024-01-01,2.5,3.5\nB,2024-01-01,3.5,4.5\n',
  );
  const { text } = await draftFor(folder.path, [join(folder.path, 'a.csv')]);
  const flat = text.replaceAll(/\n +# {3}(?!-)/g, ' ');
  expect(flat).toContain('Sums of mean_temp are meaningless; the step aggregate takes a mean.');
  expect(flat).toContain('Neither the name nor the values of reading show');
});

test('rows that differ in a text cannot be added up', async () => {
  await using folder = scopedFolder();
  await writeFile(
    join(folder.path, 'a.csv'),
    'station,day,riders,notes\nA,2024-01-01,5,x\nA,2024-01-01,7,x\nA,2024-01-01,7,y\nA,2024-01-01,5,y\n',
  );
  const { text } = await draftFor(folder.path, [join(folder.path, 'a.csv')]);
  expect(text).not.toContain('- duplicates: sum');
  expect(text).toContain(
    '#   - duplicates: first  # 1 record of 4 rows, 3 left out; total riders 5 of 24',
  );
});

test('equal rows without numbers can be events, and are not left out', async () => {
  await using folder = scopedFolder();
  await writeFile(
    join(folder.path, 'a.csv'),
    'station,day\nA,2024-01-01\nA,2024-01-01\nB,2024-01-02\n',
  );
  const { text } = await draftFor(folder.path, [join(folder.path, 'a.csv')]);
  expect(text).toContain('    key: [station, day]');
  expect(text).toContain('    #   - duplicates: same  # 2 records of 3 rows, 1 left out');
});

test('the two hours at the end of summer time are summed, with a CHECK', async () => {
  const hours = [0, 1, 1, 2, 3].map((hour, index) => `11/02/2014 0${hour}:00,${index + 1}`);
  const { text, rows } = await drafted({ 'a.csv': `Date,NB\n${hours.join('\n')}\n` });
  expect(text.replaceAll(/\n +# {3}/g, ' ')).toContain('because summer time ends');
  expect(rows.map(({ hour, nb }) => [hour, nb])).toEqual([
    ['00', '1'],
    ['01', '5'],
    ['02', '4'],
    ['03', '5'],
  ]);
});

test('rows without numbers can be events, which a step counts', async () => {
  const rows = [
    ',2024-01,E01,Theft',
    ',2024-01,E01,Theft',
    'a1,2024-01,E01,Burglary',
    'a2,2024-01,E01,Burglary',
    'a3,2024-01,E02,Burglary',
    ',2024-02,E02,Theft',
  ];
  const text = await draftText({
    'a.csv': `Crime ID,Month,LSOA code,Crime type\n${rows.join('\n')}\n`,
  });
  expect(text).toContain(
    "#   - aggregate: { by: [LSOA code, Crime type, Month], values: { events: { count: '*' } } }  # 4 records of 6 rows",
  );
  expect(checks(text).join(' ')).toContain(
    'If each row is an event, the step aggregate counts them',
  );
});

test('a copy of a row does not keep places and their values from being divided', async () => {
  const rows = ['2023-01-30', '2023-01-31', '2023-02-01'].flatMap((day, at) =>
    ['41280,Jefferson', '41000,Cermak'].map(
      (station, index) => `${station},${day},${90 + at * index}`,
    ),
  );
  const { text, metrics } = await drafted({
    'rides.csv': `station_id,stationname,date,rides\n${[...rows, rows[1]].join('\n')}\n`,
  });
  expect(checks(text)).toContainEqual(
    expect.stringContaining('Rows that are equal to another row: 1.'),
  );
  expect(metrics).toHaveLength(1);
});
