import {
  type CurrentFile,
  NOTHING_CURRENT,
} from '@locmetrics/data-directory/versions/current-file';
import {
  listEarlier,
  listHistory,
  listSwitches,
  removeDataset,
  retain,
  switchTo,
  withdraw,
} from '@locmetrics/data-directory/versions/switch-versions';
import { expect, test } from 'vitest';

const NOON = Date.parse('2024-01-01T12:00:00.000Z');
const MINUTE_MS = 60_000;

/** Publishes these versions of a dataset, a minute apart. */
function published(...versions: readonly string[]): CurrentFile {
  return versions.reduce(
    (current, version, index) =>
      switchTo(current, new Map([['a.a', version]]), {
        by: 'publish',
        now: NOON + index * MINUTE_MS,
      }),
    NOTHING_CURRENT,
  );
}

const keptOf = ({ datasets }: CurrentFile): readonly string[] => datasets['a.a']?.kept ?? [];

test('all datasets of a switch have its number and its time', () => {
  const versions = new Map([
    ['b.b', 'v1'],
    ['a.a', 'v2'],
  ]);
  const current = switchTo(published('v0'), versions, { by: 'publish', now: NOON + MINUTE_MS });
  expect(listSwitches(current, 1)).toEqual([
    {
      number: 2,
      time: '2024-01-01T12:01:00.000Z',
      by: 'publish',
      datasets: [
        { dataset: 'a.a', before: 'v0', version: 'v2' },
        { dataset: 'b.b', before: null, version: 'v1' },
      ],
      withdrawn: [],
      removed: [],
    },
  ]);
});

test('a clock that goes back does not change the order of the history', () => {
  const current = switchTo(published('v1', 'v2'), new Map([['a.a', 'v3']]), {
    by: 'publish',
    now: NOON - MINUTE_MS,
  });
  expect(listHistory(current).map(({ version, since, until }) => [version, since, until])).toEqual([
    ['v3', '2024-01-01T12:01:00.001Z', null],
    ['v2', '2024-01-01T12:01:00.000Z', '2024-01-01T12:01:00.001Z'],
    ['v1', '2024-01-01T12:00:00.000Z', '2024-01-01T12:01:00.000Z'],
  ]);
});

test('a rollback keeps the version that it leaves, and is in the history', () => {
  const current = switchTo(published('v1', 'v2'), new Map([['a.a', 'v1']]), {
    by: 'rollback',
    now: NOON + 5 * MINUTE_MS,
  });
  expect(keptOf(current)).toEqual(['v1', 'v2']);
  expect(listHistory(current).map(({ version, by }) => [version, by])).toEqual([
    ['v1', 'rollback'],
    ['v2', 'publish'],
    ['v1', 'publish'],
  ]);
});

test('a removed dataset leaves the history, its switch records it, and a new publish starts a new history', () => {
  const removed = removeDataset(published('v1', 'v2'), 'a.a', { now: NOON + 5 * MINUTE_MS });
  expect(removed.datasets).toEqual({});
  const expected = {
    number: 3,
    time: '2024-01-01T12:05:00.000Z',
    by: 'removal',
    datasets: [],
    withdrawn: [],
    removed: [{ dataset: 'a.a', version: 'v2' }],
  };
  expect(listSwitches(removed)).toEqual([expected]);
  // Even if the clock went back, each switch is later than the earlier ones.
  const again = switchTo(removed, new Map([['a.a', 'v3']]), { by: 'publish', now: NOON });
  expect(again.datasets['a.a']).toMatchObject({ kept: ['v3'], withdrawn: [] });
  expect(listSwitches(again)).toMatchObject([
    expected,
    { number: 4, time: '2024-01-01T12:05:00.001Z', datasets: [{ before: null, version: 'v3' }] },
  ]);
});

test('a withdrawn version is not kept, and its switch records it', () => {
  const current = withdraw(
    published('v1', 'v2'),
    { datasetName: 'a.a', version: 'v2' },
    { replacement: 'v1', now: NOON + 5 * MINUTE_MS },
  );
  expect([current.datasets['a.a']?.version, keptOf(current)]).toEqual(['v1', ['v1']]);
  expect(listSwitches(current, 2)).toEqual([
    {
      number: 3,
      time: '2024-01-01T12:05:00.000Z',
      by: 'withdrawal',
      datasets: [{ dataset: 'a.a', before: 'v2', version: 'v1' }],
      withdrawn: [{ dataset: 'a.a', version: 'v2' }],
      removed: [],
    },
  ]);
  const older = withdraw(
    published('v1', 'v2'),
    { datasetName: 'a.a', version: 'v1' },
    { replacement: undefined, now: NOON + 5 * MINUTE_MS },
  );
  expect([older.datasets['a.a']?.version, keptOf(older)]).toEqual(['v2', ['v2']]);
  expect(listSwitches(older, 2)).toMatchObject([{ by: 'withdrawal', datasets: [] }]);
});

test.each([
  { versions: 1, minutes: 0, kept: ['v4'] },
  { versions: 2, minutes: 0, kept: ['v3', 'v4'] },
  { versions: 1, minutes: 1, kept: ['v3', 'v4'] },
  { versions: 9, minutes: 0, kept: ['v1', 'v2', 'v3', 'v4'] },
])(
  'of four versions, a minute apart, $versions and those of $minutes minutes are kept: $kept',
  ({ versions, minutes, kept }) => {
    const retention = { versions, milliseconds: minutes * MINUTE_MS };
    const current = published('v1', 'v2', 'v3', 'v4');
    expect(keptOf(retain(current, retention, NOON + 3 * MINUTE_MS + 1))).toEqual(kept);
  },
);

test('the target of a rollback counts as the last current version', () => {
  const current = switchTo(published('v1', 'v2', 'v3'), new Map([['a.a', 'v1']]), {
    by: 'rollback',
    now: NOON + 5 * MINUTE_MS,
  });
  const retention = { versions: 2, milliseconds: 0 };
  expect(keptOf(retain(current, retention, NOON + 60 * MINUTE_MS))).toEqual(['v1', 'v3']);
});

test.each([
  ['v1 v2 v3', 'v2 v1'],
  ['v1 v2 v3 v2', 'v1'],
  ['v1 v2 v3 v2 v1', ''],
  ['v1 v2 v3 v2 v4', 'v2 v1'],
  ['v1 v2 v3 v2 v3', 'v2 v1'],
  ['v1 v2 v1 v2 v1 v3', 'v1'],
])('if %s were current one after the other, the earlier version is %s', (switches, earlier) => {
  const [dataset] = Object.values(published(...switches.split(' ')).datasets);
  if (dataset === undefined) throw new Error('Nothing was switched to.');
  expect(listEarlier(dataset).join(' ')).toBe(earlier);
});
