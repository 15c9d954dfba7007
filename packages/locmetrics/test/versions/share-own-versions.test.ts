// @module-tag slow

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectShareable, shareOwnVersions } from '@locmetrics/cluster/versions/share-own-versions';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { listVersionFolders } from '@locmetrics/data-directory/versions/list-version-folders';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { publishSmall } from './small-version.ts';
import { openCluster, type TestCluster, type TestNode } from './version-cluster.ts';

describe.skipIf(!hasPostgres())(
  'sharing the versions of a data directory (PostgreSQL is not installed where it is skipped)',
  () => {
    let server: RunningPostgres;
    let cluster: TestCluster;
    let node: TestNode;
    let folder: string;
    let own: DataDirectory;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.end());
    beforeEach(async () => {
      cluster = await openCluster(await server.createDatabase('versions'));
      node = await cluster.openNode();
      folder = temporaryFolder();
      own = dataDirectory(join(folder, 'own'));
      const files = fileVersions(own);
      await publishSmall(files, ['a.a', 'a.b']);
      await publishSmall(files, ['a.a']);
      return async () => {
        await cluster.close();
      };
    });

    const expectSame = async (): Promise<void> => {
      await node.store.bringUpToDate();
      const text = await readFile(own.current, 'utf8');
      expect(await readFile(node.directory.current, 'utf8')).toBe(text);
      expect(listVersionFolders(node.directory)).toEqual(listVersionFolders(own));
      expect(listVersionFolders(own)).toHaveLength(3);
      for (const { datasetName, version } of listVersionFolders(own)) {
        const [mine, theirs] = [own, node.directory].map((one) =>
          readFile(join(one.version(datasetName, version), 'version.json'), 'utf8'),
        );
        expect(await theirs).toBe(await mine);
      }
    };

    it('makes them those of all nodes, and the directory a mirror that keeps its other files', async () => {
      const [first] = listVersionFolders(own);
      const data = join(own.version(first?.datasetName ?? '', first?.version ?? ''), 'rows.sqlite');
      await writeFile(data, 'rows');
      await expectShareable(node.postgres, own);
      await shareOwnVersions(node.postgres, own);
      await expectSame();
      expect(await readFile(data, 'utf8')).toBe('rows');
      await expect(publishSmall(fileVersions(own), ['a.a'])).rejects.toThrow('is a mirror');
      const mirror = await cluster.openNode({ directory: own });
      await publishSmall(node.store, ['a.b']);
      await mirror.store.bringUpToDate();
      expect(await readFile(own.current, 'utf8')).toBe(
        await readFile(node.directory.current, 'utf8'),
      );
    });

    it('goes on where it was killed', async () => {
      await shareOwnVersions(node.postgres, own);
      // Killed after the commit, before the mark.
      await rm(own.mirror);
      await expectShareable(node.postgres, own);
      await shareOwnVersions(node.postgres, own);
      await expectSame();
    });

    it('refuses a shared store in which something else was published, and changes neither', async () => {
      await publishSmall(node.store, ['a.c']);
      const [ofNodes, ofOwn] = await Promise.all([
        readFile(node.directory.current, 'utf8'),
        readFile(own.current, 'utf8'),
      ]);
      for (const attempt of [expectShareable, shareOwnVersions]) {
        await expect(attempt(node.postgres, own)).rejects.toThrow(
          'already has versions that nodes share',
        );
      }
      await node.store.bringUpToDate();
      expect(await readFile(node.directory.current, 'utf8')).toBe(ofNodes);
      expect(await readFile(own.current, 'utf8')).toBe(ofOwn);
      await publishSmall(fileVersions(own), ['a.a']);
    });
  },
);
