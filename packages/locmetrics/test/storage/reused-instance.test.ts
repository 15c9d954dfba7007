import { attachDatabaseSql } from '@locmetrics/column-store/attach-database';
import { openSealedConnection } from '@locmetrics/column-store/publish/sealed-connection';
import {
  openWatchedConnection,
  type WatchedConnection,
} from '@locmetrics/column-store/publish/watched-connection';
import { openReusedInstance } from '@locmetrics/column-store/reused-instance';
import { describe, expect, test } from 'vitest';
import { releaseLater } from '../support/release.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const pathOf = useTemporaryFolder('test');

describe('the instance of a publish', () => {
  test('is used by one step after the other', async () => {
    const open = lend();
    await useOnce(open, () => Promise.resolve());
    expect(await isUsedBefore(open)).toBe(true);
  });

  test('has no attached file afterwards, which another step can attach', async () => {
    const open = lend();
    const attach = attachDatabaseSql(pathOf('rows.duckdb'), 'rows');
    await useOnce(open, async ({ run }) => {
      await run(attach);
      await run('USE rows');
      await run('CREATE TABLE numbers AS SELECT 7 AS number');
      await run('CHECKPOINT');
    });
    const { run, list, close } = await open();
    await run(`${attachDatabaseSql(pathOf('rows.duckdb'), 'other')} (READ_ONLY)`);
    expect(await list('SELECT number FROM other.numbers')).toEqual([{ number: 7 }]);
    await close();
    expect(await isUsedBefore(open)).toBe(true);
  });

  test('is another one after a statement that failed', async () => {
    const open = lend();
    await useOnce(open, ({ run }) => expect(run('SELECT nothing')).rejects.toThrow('nothing'));
    expect(await isUsedBefore(open)).toBe(false);
  });

  test('is another one after a query that was not read to its end', async () => {
    const open = lend();
    await useOnce(open, async ({ read }) => {
      for await (const { count } of read('SELECT range FROM range(100000)')) {
        expect(count).toBeGreaterThan(0);
        break;
      }
    });
    expect(await isUsedBefore(open)).toBe(false);
  });

  test.each<readonly [string, (connection: WatchedConnection) => void]>([
    ['of texts', ({ addFunction }) => addFunction('shown', (text) => text)],
    ['of points', ({ addPointFunction }) => addPointFunction('shown', () => 'a')],
  ])('is another one after a function %s was added', async (_, add) => {
    const open = lend();
    await useOnce(open, async (connection) => add(connection));
    expect(await isUsedBefore(open)).toBe(false);
  });

  test('is not that of the steps of an owner, which can change no setting', async () => {
    const open = lend();
    await useOnce(open, () => Promise.resolve());
    const sealed = await openSealedConnection({
      ...open.options,
      file: pathOf('sealed.duckdb'),
      name: 'sealed',
      signal: undefined,
    });
    await expect(sealed.run('SET threads = 1')).rejects.toThrow('locked');
    expect(await isUsedBefore(open)).toBe(true);
    await sealed.close();
  });
});

function lend() {
  const limits = {
    temporaryDirectory: pathOf('spills'),
    memoryLimitBytes: 200_000_000,
    threads: 1,
  };
  const reused = openReusedInstance(limits);
  releaseLater(async () => reused.close());
  const options = { ...limits, reused };
  return Object.assign(() => openWatchedConnection({ ...options, signal: undefined }), { options });
}

type Open = ReturnType<typeof lend>;

/** Leaves a view in the instance, by which it is known. */
async function useOnce(
  open: Open,
  use: (connection: WatchedConnection) => Promise<unknown>,
): Promise<void> {
  const connection = await open();
  await connection.run('CREATE VIEW memory.main.known AS SELECT 1');
  await use(connection);
  await connection.close();
}

async function isUsedBefore(open: Open): Promise<boolean> {
  const { list, close } = await open();
  const views = await list(`SELECT view_name FROM duckdb_views() WHERE view_name = 'known'`);
  await close();
  return views.length > 0;
}
