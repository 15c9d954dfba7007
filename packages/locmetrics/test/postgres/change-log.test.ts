// @module-tag slow

import {
  CHANGE_LOG_SCHEMA,
  type LoggedTable,
  logChangesSql,
  readChanges,
  readState,
} from '@locmetrics/cluster/postgres/change-log';
import { followChanges } from '@locmetrics/cluster/postgres/follow-changes';
import { openPostgres, type Postgres } from '@locmetrics/cluster/postgres/open-postgres';
import { migratePostgres, type PostgresSchema } from '@locmetrics/cluster/postgres/postgres-schema';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from './start-postgres.ts';

const FRUIT_SCHEMA: PostgresSchema = {
  name: 'fruit store',
  migrations: [
    `CREATE TABLE fruit (name text, place bigint, colour text, PRIMARY KEY (name, place));
     ${logChangesSql('fruit', ['name', 'place'])}`,
  ],
};
const FRUIT: LoggedTable = {
  name: 'fruit',
  key: { name: 'text', place: 'bigint' },
  columns: ['name', 'place', 'colour'],
};
const SCHEMAS = [CHANGE_LOG_SCHEMA, FRUIT_SCHEMA];

/** Statements that wait for the commit of another one. */
const WAITING = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";

describe.skipIf(!hasPostgres())(
  'the log of changes (PostgreSQL is not installed where it is skipped)',
  () => {
    let server: RunningPostgres;
    let url: string;
    let postgres: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.end());
    beforeEach(async () => {
      url = await server.createDatabase();
      postgres = openPostgres(url);
      await migratePostgres(postgres, SCHEMAS);
      return () => postgres.close();
    });
    const fruitSince = async (state: Awaited<ReturnType<typeof readState>> | undefined) => {
      const changed = await readChanges(postgres, [FRUIT], state);
      return { isAll: changed?.isAll, ...changed?.tables.get('fruit') };
    };

    it('makes its tables once, also if nodes start together', async () => {
      const others = [openPostgres(url), openPostgres(url), openPostgres(url)];
      await Promise.all(others.map((one) => migratePostgres(one, SCHEMAS)));
      await Promise.all(others.map((one) => one.close()));
      expect(
        await postgres.query('SELECT part, version FROM schema_version ORDER BY part'),
      ).toEqual([
        { part: 'change log', version: 1 },
        { part: 'fruit store', version: 1 },
      ]);
    });

    it('refuses tables of a newer version', async () => {
      await postgres.query('UPDATE schema_version SET version = 9');
      await expect(migratePostgres(postgres, SCHEMAS)).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('newer version'),
      });
    });

    it('reads all rows of a store that it has not seen, then what has changed', async () => {
      await postgres.query(`INSERT INTO fruit VALUES ('apple', 1, 'red'), ('plum', 2, 'blue')`);
      const before = await readState(postgres.query);
      expect(await fruitSince(undefined)).toEqual({
        isAll: true,
        rows: [
          { name: 'apple', place: 1, colour: 'red' },
          { name: 'plum', place: 2, colour: 'blue' },
        ],
        removed: [],
      });
      expect(await readChanges(postgres, [FRUIT], before)).toBeUndefined();
      await postgres.query(`UPDATE fruit SET colour = 'green' WHERE name = 'apple'`);
      await postgres.query(`UPDATE fruit SET place = 3 WHERE name = 'plum'`);
      expect(await fruitSince(before)).toEqual({
        isAll: false,
        rows: [
          { name: 'apple', place: 1, colour: 'green' },
          { name: 'plum', place: 3, colour: 'blue' },
        ],
        removed: [['plum', '2']],
      });
    });

    it('reads all rows if the log no longer has what has changed, or the store is another one', async () => {
      const before = await readState(postgres.query);
      await postgres.query(
        `INSERT INTO fruit SELECT 'seed', n, 'brown' FROM generate_series(1, 10002) AS n`,
      );
      const { isAll, rows } = await fruitSince(before);
      expect({ isAll, rows: rows?.length }).toEqual({ isAll: true, rows: 10002 });
      const state = await readState(postgres.query);
      expect((await fruitSince({ ...state, number: state.number + 1 })).isAll).toBe(true);
      expect((await fruitSince({ ...state, storeId: 'another' })).isAll).toBe(true);
    });

    it('numbers changes in the order of their commits', async () => {
      const [other, third] = [openPostgres(url), openPostgres(url)];
      let second: Promise<unknown> = Promise.resolve();
      await postgres.transaction(async (query) => {
        await query(`INSERT INTO fruit VALUES ('first', 1, 'red')`);
        second = other.query(`INSERT INTO fruit VALUES ('second', 2, 'red')`);
        // The other one waits for this commit, so what is read meanwhile has neither.
        await until(async () => (await third.query(WAITING)).length > 0);
        expect((await readState(postgres.query)).number).toBe(0);
      });
      await second;
      await other.close();
      await third.close();
      const rows = await postgres.query(
        'SELECT number, key[1] AS name FROM change ORDER BY number',
      );
      expect(rows).toEqual([
        { number: 1, name: 'first' },
        { number: 2, name: 'second' },
      ]);
    });

    it('writes nothing for a transaction that is rolled back', async () => {
      const failing = postgres.transaction(async (query) => {
        await query(`INSERT INTO fruit VALUES ('apple', 1, 'red')`);
        throw new Error('No.');
      });
      await expect(failing).rejects.toThrow('No.');
      expect((await readState(postgres.query)).number).toBe(0);
    });

    it('tells of a change at once, and after the database was away', async () => {
      const failures: unknown[] = [];
      const seen: number[] = [];
      const look = async () => {
        seen.push((await readState(postgres.query)).number);
      };
      const follower = followChanges(postgres, look, (error) => failures.push(error));
      await expect.poll(() => seen.length).toBeGreaterThan(0);
      const other = openPostgres(url);
      await other.query(`INSERT INTO fruit VALUES ('apple', 1, 'red')`);
      await expect.poll(() => seen.at(-1)).toBe(1);
      await server.stop('immediate');
      await expect.poll(() => failures.length).toBeGreaterThan(1);
      await server.start();
      await other.query(`INSERT INTO fruit VALUES ('plum', 2, 'blue')`);
      await expect.poll(() => seen.at(-1)).toBe(2);
      await follower.close();
      await other.close();
      expect(
        failures.every((error) => error instanceof Error && error.message.includes('127.0.0.1')),
      ).toBe(true);
    });

    it('survives a connection that is lost between two statements', async () => {
      const working = postgres.transaction(async (query) => {
        await query('SELECT 1');
        await server.stop('immediate');
        await query('SELECT 2');
      });
      await expect(working).rejects.toMatchObject({ kind: 'away' });
      await server.start();
      expect(await postgres.query('SELECT 3 AS three')).toEqual([{ three: 3 }]);
    });

    it('says what is refused, and never the password', async () => {
      const wrong = openPostgres(url.replace('tests@', 'nobody:hunter2@'));
      const error: unknown = await wrong.query('SELECT 1').catch((caught: unknown) => caught);
      await wrong.close();
      expect(error).toMatchObject({ kind: 'refused' });
      expect(String(error)).not.toContain('hunter2');
      await expect(postgres.query('SELECT nothing FROM nowhere')).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('nowhere'),
      });
    });
  },
);
