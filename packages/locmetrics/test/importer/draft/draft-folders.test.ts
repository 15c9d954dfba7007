import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { checks } from './draft-of-files.ts';
import { draftFor, publishDraft } from './draft-under-test.ts';

const STORES = 'id,name,lat,lng\nA1,Alpha,38.5,-75.5\nB2,Beta,38.6,-75.4\n';
const VISITS = 'store,month,visits\nA1,2024-01,5\nB2,2024-01,2\nB2,2024-02,7\n';

/** Writes files into a folder, with the folders that they need, and drafts the folder. */
async function draftFolder(root: string, files: Readonly<Record<string, string>>) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(root, name, '..'), { recursive: true });
    await writeFile(join(root, name), content);
  }
  const draft = await draftFor(root, [join(root, 'town')]);
  const shown = (path: string) => relative(root, path);
  return {
    draft,
    taken: draft.taken.map(shown),
    left: draft.left.map(({ path, reason }) => `${shown(path)} ${reason}`),
  };
}

test('all data files of a folder are drafted, and what is left is told with its reason', async () => {
  await using folder = scopedFolder();
  const { draft, taken, left } = await draftFolder(folder.path, {
    'town/stores.csv': STORES,
    'town/visits.txt': VISITS,
    'town/readme.txt': 'stores, and their visits\n',
    'town/story.txt': 'Once upon a time\nthere was a shop\n',
    'town/more.pdf': '%PDF-',
    'town/old/visits.csv': VISITS,
    'town/.hidden.csv': VISITS,
  });
  expect(taken).toEqual(['town/stores.csv', 'town/visits.txt']);
  expect(left).toEqual([
    'town/.hidden.csv is a hidden file',
    'town/more.pdf has no name of a data file',
    'town/readme.txt describes the data',
    'town/old is a folder: name it to draft its files',
    'town/story.txt has no table',
  ]);
  expect(checks(draft.text).filter((check) => check.startsWith('Not in this draft'))).toEqual([]);
  expect(draft.metrics.map(({ name }) => name)).toEqual(['town/visits']);
  await publishDraft(folder.path, draft);
});

test('data of a folder that cannot be read is a CHECK, and the other files are drafted', async () => {
  await using folder = scopedFolder();
  const { draft, taken, left } = await draftFolder(folder.path, {
    'town/stores.csv': STORES,
    'town/broken.csv': 'a,b\n"x,1\n',
    'town/empty.csv': '',
    'town/map.kml': '<kml/>',
    'town/rooms.xls': '\xd0\xcf',
    'town/roads.shp': '',
    'town/roads.dbf': '',
  });
  expect(taken).toEqual(['town/stores.csv']);
  expect(left.filter((one) => !one.includes('broken'))).toEqual([
    'town/map.kml has a format that is not read: export its rows as CSV',
    'town/roads.dbf is a part of a shapefile',
    'town/roads.shp is a shapefile outside an archive: put it into a zip archive with its .dbf, .prj and .cpg',
    'town/empty.csv has no rows',
    'town/rooms.xls has no table',
  ]);
  const doubts = checks(draft.text).filter((check) => check.startsWith('Not in this draft'));
  expect(doubts.map((check) => check.slice(0, 50))).toEqual([
    'Not in this draft: map.kml has a format that is no',
    'Not in this draft: roads.shp is a shapefile outsid',
    'Not in this draft: empty.csv has no rows. => datas',
    'Not in this draft: broken.csv cannot be drafted: N',
  ]);
  await publishDraft(folder.path, draft);
});

test('without a data file, the folders within are drafted', async () => {
  await using folder = scopedFolder();
  const { taken, left } = await draftFolder(folder.path, {
    'town/README.md': 'The files of 2024.',
    'town/a/stores.csv': STORES,
    'town/b/visits.csv': VISITS,
    'town/b/deep/visits.csv': VISITS,
    'town/.git/visits.csv': VISITS,
  });
  expect(taken).toEqual(['town/a/stores.csv', 'town/b/visits.csv']);
  expect(left).toEqual([
    'town/README.md describes the data',
    'town/b/deep is a folder: name it to draft its files',
  ]);
});

test('a folder without data, or with nothing that can be read, is refused', async () => {
  await using folder = scopedFolder();
  await expect(draftFolder(folder.path, { 'town/notes.md': 'None.' })).rejects.toThrow(
    /town has no data files. .*notes.md has no name of a data file\./,
  );
  await expect(draftFolder(folder.path, { 'town/empty.csv': '' })).rejects.toThrow(
    /empty.csv has no rows/,
  );
});

test('a file that is also named is refused if it cannot be read', async () => {
  await using folder = scopedFolder();
  await draftFolder(folder.path, { 'town/stores.csv': STORES, 'town/empty.csv': '' });
  const paths = [join(folder.path, 'town'), join(folder.path, 'town/empty.csv')];
  await expect(draftFor(folder.path, paths)).rejects.toThrow(/empty.csv has no rows/);
});

test('a folder with too many files is refused', async () => {
  await using folder = scopedFolder();
  const files = Array.from({ length: 1001 }, (_, day) => [`town/day-${day}.csv`, 'a,b\n']);
  await expect(draftFolder(folder.path, Object.fromEntries(files))).rejects.toThrow(
    /town has 1,001 files, and a draft has at most 1,000 of a folder/,
  );
});
