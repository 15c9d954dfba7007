import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import type { Engine } from '@locmetrics/core/storage/engine';
import { scopedFolder } from '../../support/temporary-folder.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { LIMITS, linkPublished } from './published-files.ts';

type EngineOptions = Parameters<typeof openDuckdbEngine>[0];

/** An engine over files that the importer writes from CSV. */
export const publishedEngine = ({
  name,
  tags,
  openEngine,
}: {
  readonly name: string;
  readonly tags?: EngineUnderTest['tags'];
  readonly openEngine: (options: EngineOptions) => Promise<Engine>;
}): EngineUnderTest => ({
  name,
  ...(tags === undefined ? {} : { tags }),
  open: async () => {
    const folder = scopedFolder();
    const temporaryDirectory = join(folder.path, 'temporary');
    await mkdir(temporaryDirectory);
    const directoryOf = ({ dataset, version }: ReadableVersion): string =>
      join(folder.path, dataset.name, version);
    const engine = await openEngine({
      directoryOf,
      temporaryDirectory,
      connectionsMax: 2,
      waitingMax: 100,
      ...LIMITS,
    });
    return {
      engine,
      load: (table) => linkPublished(table, directoryOf(table.version)),
      remove: (version) => rm(directoryOf(version), { recursive: true }),
      close: async () => {
        try {
          await engine.close();
        } finally {
          await folder[Symbol.asyncDispose]();
        }
      },
    };
  },
});
