import { closePart } from '@locmetrics/core/runtime/close-part';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type { ControlStore } from '@locmetrics/server/auth/control-store';
import type { ExportContext } from '@locmetrics/server/exports/export-context';
import { openExportFolder } from '@locmetrics/server/exports/export-folder';
import { readLinkKey } from '@locmetrics/server/exports/export-links';
import { PART_MAX_BYTES } from '@locmetrics/server/exports/export-settings';
import { exportStoreOf, hasExports } from '../compose/export-store-of.ts';
import type { Config } from '../config/settings.ts';

/** The exports of a worker. */
export type WorkerExports = {
  readonly context: ExportContext;
  /** The URL of the HTTP interface is known. */
  readonly usePublicUrl: (url: string) => void;
};

/** Unfinished exports of an organisation: enough for a person, and no way to fill the queue. */
const UNFINISHED_MAX = 10;

/** Opens the exports of a data directory in a worker; undefined if there are none. */
export async function openExports({
  config,
  directory,
  publicUrl: knownUrl,
  opening,
  store,
  wake,
}: {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly publicUrl: string | undefined;
  readonly opening: AsyncDisposableStack;
  readonly store: Pick<ControlStore, 'findCallerById' | 'pollCallers' | 'secret'>;
  readonly wake: () => void;
}): Promise<WorkerExports | undefined> {
  if (!hasExports(config)) return undefined;
  let url = knownUrl;
  const context: ExportContext = {
    store: opening.adopt(await exportStoreOf({ config, directory }, 'service'), closePart),
    node: config.control === undefined ? undefined : config.nodeUrl,
    folder: openExportFolder(directory.exports.files),
    settings: {
      bytesMax: config.exportSpaceBytes,
      keepMs: config.exportKeepMs,
      unfinishedMax: UNFINISHED_MAX,
      partMaxBytes: PART_MAX_BYTES,
    },
    findCallerById: store.findCallerById,
    linkKey: () => readLinkKey(store),
    publicUrl: () => url,
    wake,
  };
  return {
    context,
    usePublicUrl: (known) => {
      url = known;
    },
  };
}
