// @module-tag slow

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../commands/run-command.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { publishSmall } from '../versions/small-version.ts';
import { openCluster, type TestCluster, type TestNode } from '../versions/version-cluster.ts';

const inFolder = useTemporaryFolder();

/** It is named, and never asked. */
const CLICKHOUSE = 'http://default@127.0.0.1:9/none';

describe.skipIf(!hasPostgres())(
  'commands on the mirror of a node (PostgreSQL is not installed where it is skipped)',
  () => {
    let server: RunningPostgres;
    let cluster: TestCluster;
    let other: TestNode;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.end());
    beforeEach(async () => {
      cluster = await openCluster(await server.createDatabase());
      other = await cluster.openNode();
      return cluster.close;
    });

    /** Runs a command on a node of its own: all shared by flags, so that each command must have them. */
    const run = async (...parameters: readonly string[]) =>
      runCommand([
        ...[...parameters, '--data', inFolder('node'), '--control', cluster.url],
        ...['--clickhouse', CLICKHOUSE],
      ]);
    const withOrganisation = async (): Promise<void> => {
      const flags = ['--data', inFolder('node'), '--control', cluster.url];
      const made = await runCommand(['org', 'create', 'Acme', '--id', 'acme', ...flags]);
      expect(made.code).toBe(0);
    };

    it('knows a dataset that another node has just published, in every command that reads versions', async () => {
      await withOrganisation();
      expect(JSON.parse((await run('versions', '--json')).data).versions).toEqual([]);
      await publishSmall(other.store, ['a.first']);
      const added = await run('grant', 'add', 'acme', 'a.first', '--json');
      expect(added).toMatchObject({ code: 0, messages: '' });
      expect(JSON.parse(added.data).names).toEqual(['a.first']);

      const flags = ['--data', inFolder('elsewhere'), '--control', cluster.url];
      const early = await runCommand(['grant', 'add', 'acme', 'a.second', ...flags]);
      expect(early.messages).toContain("No published dataset or metric matches 'a.second' yet.");
      await publishSmall(other.store, ['a.second']);
      const { grants } = JSON.parse((await run('grant', 'list', '--json')).data);
      expect(grants).toMatchObject([{ state: 'fits' }, { state: 'fits' }]);

      await runCommand(['grant', 'add', 'acme', 'a.third', ...flags]);
      await publishSmall(other.store, ['a.third']);
      expect(await run('grant', 'check')).toMatchObject({ code: 0, data: 'All grants fit.\n' });

      await publishSmall(other.store, ['a.fourth']);
      expect((await run('versions', 'a.fourth')).data).toContain('a.fourth');
      await publishSmall(other.store, ['a.fifth']);
      const explained = await run('explain', 'listRecords', '{"dataReferenceName":"a.fifth"}');
      expect(explained).toMatchObject({ code: 0 });
      await publishSmall(other.store, ['a.sixth']);
      const removed = await run('dataset', 'remove', 'a.sixth', '--dry-run');
      expect(removed).toMatchObject({ code: 0 });
      await publishSmall(other.store, ['a.seventh']);
      const compared = await run('diff', 'a.seventh');
      expect(compared.messages).toContain(
        'No version of a.seventh is kept that was published before',
      );
    });

    it('recovers current.json from PostgreSQL, and never from the files of the mirror', async () => {
      const first = await publishSmall(other.store, ['a.a']);
      const second = await publishSmall(other.store, ['a.a']);
      await run('versions');
      const { current } = dataDirectory(inFolder('node'));
      const before = await readFile(current, 'utf8');
      expect((await run('recover')).data).toContain(
        'all files of this mirror are what PostgreSQL has',
      );

      await writeFile(current, 'damaged');
      const alone = ['recover', '--yes', '--data', inFolder('node')];
      for (const flags of [[], ['--control', cluster.url], ['--clickhouse', CLICKHOUSE]]) {
        const refused = await runCommand([...alone, ...flags]);
        expect(refused).toMatchObject({ code: 1, data: '' });
        expect(refused.messages).toContain('is a mirror of a PostgreSQL that several nodes share');
        expect(refused.messages).toContain('--control and --clickhouse');
      }
      const chosen = await run('recover', '--current', first.datasets[0]?.version ?? '', '--yes');
      expect(chosen.messages).toContain('locmetrics rollback DATASET VERSION');
      const dry = await run('recover', '--dry-run');
      expect(dry.data).toContain('It would be copied again from PostgreSQL');
      expect(await readFile(current, 'utf8')).toBe('damaged');

      const answer = JSON.parse((await run('recover', '--json')).data);
      expect(answer).toMatchObject({ isNeeded: true, isDone: true, datasets: [] });
      expect(answer.problem).toContain('current.json');
      expect(await readFile(current, 'utf8')).toBe(before);
      expect(before).toContain(second.datasets[0]?.version);

      // Without its current.json, and with a damaged file of a version.
      await rm(current);
      const version = dataDirectory(inFolder('node')).version(
        'a.a',
        second.datasets[0]?.version ?? '',
      );
      await writeFile(join(version, 'report.json'), 'damaged');
      const recovered = await run('recover');
      expect(recovered.data).toContain('It was copied again from PostgreSQL');
      expect(await readFile(current, 'utf8')).toBe(before);
      expect(await readFile(join(version, 'report.json'), 'utf8')).toContain('a.a');
    });
  },
);
