import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import type { VersionStore } from '@locmetrics/data-directory/versions/version-store';

/** The folders of column files: those of the versions, or folders of the publish into which they were fetched. */
export type ColumnFolders = {
  /** Fetches the column files that this machine does not have, if there is a place to fetch them from. */
  readonly fetch: (versions: readonly ReadableVersion[]) => Promise<void>;
  readonly of: (version: ReadableVersion) => string;
};

export function openColumnFolders(
  { directory, fetchColumns }: Pick<VersionStore, 'directory' | 'fetchColumns'>,
  {
    workspace,
    signal,
  }: {
    /** An existing folder, which is removed after the publish. */
    readonly workspace: string;
    readonly signal?: AbortSignal | undefined;
  },
): ColumnFolders {
  const fetched = new Map<string, string>();
  const own = ({ dataset, version }: ReadableVersion) => directory.version(dataset.name, version);
  return {
    fetch: async (versions) => {
      for (const one of versions) {
        const folder = own(one);
        if (fetchColumns === undefined || hasColumns(folder) || fetched.has(folder)) continue;
        // The names of datasets have no @.
        const target = join(workspace, `${one.dataset.name}@${one.version}`);
        await mkdir(target);
        const version = { datasetName: one.dataset.name, version: one.version };
        await fetchColumns(version, { folder: target, signal });
        fetched.set(folder, target);
      }
    },
    of: (version) => fetched.get(own(version)) ?? own(version),
  };
}

export function hasColumns(folder: string): boolean {
  return columnWriter.files.every((name) => existsSync(join(folder, name)));
}
