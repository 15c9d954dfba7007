// @module-tag slow

import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import type { VersionDatabase } from '@locmetrics/data-directory/versions/version-database';
import { type Published, publish } from '@locmetrics/ingest/publish/publish-datasets';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeManifest } from '../clickhouse/large-manifest.ts';
import { openProxy, type PostgresProxy } from '../postgres/open-proxy.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openCluster, type TestCluster, type TestNode } from '../versions/version-cluster.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

describe.skipIf(!hasPostgres())(
  'a publish that meets PostgreSQL away at its switch (PostgreSQL is not installed where it is skipped)',
  () => {
    let server: RunningPostgres;
    let proxy: PostgresProxy;
    let cluster: TestCluster;
    let node: TestNode;
    let folder: string;
    let manifestPath: string;
    /** The questions to the database that has the tables. */
    let asked: string[];
    let onLoad: () => Promise<void>;
    let onComplete: () => void;
    let onStage: (stage: string) => void;
    const tables: VersionDatabase = {
      name: 'a database under test',
      list: async () => [],
      load: async () => {
        asked.push('load');
        await onLoad();
      },
      // As ClickHouse: a table is renamed once.
      complete: async ({ version }) => {
        if (asked.includes(version)) throw new Error(`${version} is complete already.`);
        asked.push(version);
        onComplete();
      },
      remove: async () => {},
      close: async () => {},
    };
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.end());
    beforeEach(async () => {
      [asked, onLoad, onComplete, onStage] = [[], async () => {}, () => {}, () => {}];
      folder = temporaryFolder();
      manifestPath = await writeManifest(folder, 3);
      proxy = await openProxy(await server.createDatabase());
      cluster = await openCluster(proxy.url);
      node = await cluster.openNode({ database: tables });
      return cluster.close;
    });

    const stages: string[] = [];
    const publishOnce = (awayMaxMs?: number): Promise<Published> => {
      stages.length = 0;
      return publish({
        ...WHOLE_PUBLISH,
        manifestPath,
        datasetNames: [],
        directory: node.directory,
        store: node.store,
        database: tables,
        memoryLimitBytes: 2 ** 28,
        threads: 1,
        clock: Date.now,
        awayMaxMs,
        onProgress: (_, { stage }) => {
          stages.push(stage);
          onStage(stage);
        },
      });
    };
    const expectCurrent = ({ datasets }: Published): void => {
      const [published] = datasets;
      const current = readCurrentFile(node.directory.current).datasets['shop.stores'];
      expect(current?.version).toBe(published?.version.version);
      expect(current?.history).toHaveLength(1);
    };

    it('waits until it is back, and says so', async () => {
      onLoad = () => server.stop('immediate');
      let starting: Promise<void> | undefined;
      onStage = (stage) => {
        if (stage === 'waiting for PostgreSQL') starting ??= server.start();
      };
      expectCurrent(await publishOnce());
      await starting;
      expect(stages).toContain('waiting for PostgreSQL');
      expect(asked).toEqual(['load', expect.any(String)]);
    });

    it('fails clearly after a while, leaves the loaded rows for the next publish, and changes nothing', async () => {
      onLoad = () => server.stop('immediate');
      try {
        await expect(publishOnce(1_500)).rejects.toMatchObject({
          message: expect.stringMatching(
            /^PostgreSQL at 127\.0\.0\.1.* cannot be reached: .* The publish waited 1\.5 s for it and did not switch\.$/,
          ),
          hint: expect.stringContaining('rows that have arrived in ClickHouse are not sent again'),
        });
      } finally {
        await server.start();
      }
      // Neither completed nor removed: a load with the same content goes on with it.
      expect(asked).toEqual(['load']);
      onLoad = async () => {};
      expectCurrent(await publishOnce());
    });

    it.each(['before', 'after'] as const)(
      'switches once if the connection is lost %s its commit',

      async (when) => {
        onComplete = () => proxy.cutAtCommit(when);
        expectCurrent(await publishOnce());
        expect(proxy.hasCut()).toBe(true);
        expect(asked).toEqual(['load', expect.any(String)]);
        expect(stages.includes('waiting for PostgreSQL')).toBe(when === 'before');
      },
    );
  },
);
