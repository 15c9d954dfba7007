import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { type Published, publish } from '@locmetrics/ingest/publish/publish-datasets';
import { type FileControlStore, openControlStore } from '@locmetrics/server/auth/control-store';
import { openExportStore } from '@locmetrics/server/exports/open-export-store';
import { openUsageStore } from '../../src/compose/open-usage-store.ts';
import { WHOLE_PUBLISH } from '../importer/whole-publish.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { publishOnce } from './publish-once.ts';

/** A data directory in a new folder, with a control store and one organisation that may see everything. */
export type TestData = {
  readonly directory: DataDirectory;
  readonly store: FileControlStore;
  /** A token of the organisation. The default organisation is `acme`. */
  readonly token: string;
  /** A token with only the scope `admin`. */
  readonly adminToken: string;
  /** Publishes a manifest of the repository, given by its absolute path. */
  readonly publishManifest: (path: string) => Promise<Published>;
  /** Publishes files written for the test, all datasets or one. `at` is the time of the publish. */
  readonly publishFiles: (
    files: Readonly<Record<string, string>>,
    at?: string,
    datasetName?: string,
  ) => Promise<Published>;
  readonly folder: (name: string) => Promise<string>;
  readonly remove: () => Promise<void>;
};

export const ORGANISATION_ID = 'acme';

export async function createTestData({
  organisationId = ORGANISATION_ID,
  name = 'Acme',
} = {}): Promise<TestData> {
  const root = temporaryFolder();
  const directory = dataDirectory(join(root, 'data'));
  const folder = async (name: string): Promise<string> => {
    await mkdir(join(root, name), { recursive: true });
    return join(root, name);
  };
  await folder('data');
  // The primary of a service creates them in the same way.
  await (await openUsageStore(directory.usage)).close();
  openExportStore(directory.exports.store).close();
  const store = openControlStore(directory.control, { waitsForLock: false });
  store.createOrganisation({ id: organisationId, name });
  store.addGrant(organisationId, wholeGrant('', '*'));
  const run = (manifestPath: string, datasetNames: readonly string[], clock: () => number) =>
    publish({
      ...WHOLE_PUBLISH,
      manifestPath,
      datasetNames,
      directory,
      memoryLimitBytes: 2 ** 30,
      clock,
    });
  return {
    directory,
    store,
    token: store.createToken({ organisationId, name: 'test' }).tokenText,
    adminToken: store.createToken({
      organisationId,
      name: 'admin',
      scopes: ['admin'],
    }).tokenText,
    publishManifest: (path) => publishOnce(directory, [path], () => run(path, [], Date.now)),
    publishFiles: async (files, at = '2024-01-01T00:00:00.000Z', datasetName) => {
      const sources = await folder('sources');
      for (const [name, text] of Object.entries(files)) await writeFile(join(sources, name), text);
      const names = datasetName === undefined ? [] : [datasetName];
      return publishOnce(directory, [files, names, at], () =>
        run(join(sources, 'locmetrics.yaml'), names, () => Date.parse(at)),
      );
    },
    folder,
    remove: async () => {
      store.close();
    },
  };
}
