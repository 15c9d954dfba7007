import { mkdirSync, readdirSync } from 'node:fs';
import { visitRows } from '@locmetrics/core/domain/value-visitor';
import { openPool } from '@locmetrics/core/runtime/pool';
import { Stop } from '@locmetrics/core/runtime/stop';
import type { StreamPiece } from '@locmetrics/server/service/streams/read-ahead';
import type { TableStream } from '@locmetrics/server/service/streams/stream-records';
import { writeTableFile } from '@locmetrics/server/service/streams/write-table-file';
import { expect, test } from 'vitest';
import { openTableFiles } from '../../src/compose/open-table-files.ts';
import { fillUp, mayMount, withSmallDisk } from '../support/full-disk.ts';
import { readParquet } from '../support/read-parquet.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const pathOf = useTemporaryFolder('test');

test('the file has no name any more once it can be read', async () => {
  const folder = pathOf('files');
  await using file = await writeTableFile(contextOf(folder), call(), tableOf(somePieces()));
  expect(readdirSync(folder)).toEqual([]);
  const { rows, metadata } = await readParquet(await file.readFile());
  expect(rows).toEqual([['a'], ['b']]);
  expect(metadata).toEqual({
    metric: 'shop/visits',
    version: 'v1',
    licence: 'MIT\nPublic domain',
    attribution: 'City',
  });
});

test('if the pieces fail, so does the file, and nothing is left', async () => {
  const folder = pathOf('files');
  let isClosed = false;
  async function* failing(): AsyncGenerator<StreamPiece, void> {
    try {
      yield* somePieces();
      throw new Error('A block is damaged.');
    } finally {
      isClosed = true;
    }
  }
  await expect(writeTableFile(contextOf(folder), call(), tableOf(failing()))).rejects.toThrow(
    'A block is damaged.',
  );
  expect(readdirSync(folder)).toEqual([]);
  expect(isClosed).toBe(true);
});

test('two files are written at once, and further ones wait', async () => {
  const context = contextOf(pathOf('files'), 1);
  const first = await context.filePlaces.acquire(new Stop());
  const writing = writeTableFile(context, call(), tableOf(somePieces()));
  expect(context.filePlaces.length()).toEqual({ running: 1, waiting: 1 });
  context.filePlaces.release(first);
  await using file = await writing;
  expect((await file.stat()).size).toBeGreaterThan(0);
});

test.runIf(mayMount)('no file is written on a disk that is nearly full', async () => {
  const folder = pathOf('small');
  mkdirSync(folder);
  await withSmallDisk(folder, '4m', async () => {
    fillUp(`${folder}/filled`);
    const writing = writeTableFile(contextOf(folder), call(), tableOf(somePieces()));
    await expect(writing).rejects.toMatchObject({ reason: 'DISK_FULL' });
    expect(readdirSync(folder)).toEqual(['filled']);
  });
});

function contextOf(folder: string, itemsMax = 2) {
  const filePlaces = openPool({
    create: () => Promise.resolve({}),
    itemsMax,
    waitingMax: 10,
    full: () => new Error('full'),
  });
  return { tableFiles: openTableFiles(folder), filePlaces, queryTimeoutMs: 60_000 };
}

const call = () => ({ signal: new Stop() });

async function* somePieces(): AsyncGenerator<StreamPiece, void> {
  yield { size: 1, visit: visitRows([['a']]) };
  yield { size: 1, visit: visitRows([['b']]) };
}

function tableOf(pieces: TableStream['pieces']): TableStream {
  const licences = [{ name: 'MIT' }, { name: 'Public domain', attribution: 'City' }];
  return {
    columns: [{ name: 'city', type: 'string' }],
    metadata: { source: { metric: 'shop/visits' }, version: 'v1', licences },
    totalSize: 2,
    pieces,
  };
}
