import { tmpdir } from 'node:os';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DraftManifest, draftManifest } from '@locmetrics/ingest/draft/draft-manifest';
import type { HourChoice } from '@locmetrics/ingest/draft/keys/find-hours';
import { isAddress } from '@locmetrics/ingest/manifest/source-address';
import { escapeControls, ImportError } from '@locmetrics/ingest/problems/import-error';
import { PublishError } from '@locmetrics/ingest/problems/publish-error';
import type { Output } from '../../cli/output.ts';
import { showPublishProgress } from '../../cli/publish-progress.ts';
import { readConfig, type SettingFlags } from '../../config/read-config.ts';
import { limitMemory, PUBLISH_UNCOUNTED_BYTES } from '../../processes/limit-memory.ts';
import { folderLines } from './draft-summary.ts';
import { untilInterrupted } from './until-interrupted.ts';

/** The JSON Schema of manifests in the installed package. */
export const SCHEMA_FILE = fileURLToPath(
  new URL('../../../locmetrics.schema.json', import.meta.url),
);

/** Looks at files, with the progress on the terminal. Paths in the manifest are relative to its folder. */
export async function draftFiles(
  output: Output,
  {
    files,
    folder,
    schema,
    sheet,
    hours,
    settings,
  }: {
    readonly files: readonly string[];
    readonly folder: string;
    readonly schema: string;
    readonly sheet?: string | undefined;
    readonly hours?: HourChoice | undefined;
    readonly settings: SettingFlags;
  },
): Promise<DraftManifest> {
  const { config, notices } = readConfig(settings);
  for (const notice of notices) output.messages(`${notice}\n`);
  if (output.isOwnProcess === true) {
    await limitMemory(config.publishMemoryBytes + PUBLISH_UNCOUNTED_BYTES);
  }
  const progress = showPublishProgress(output);
  const draft = await untilInterrupted((signal) =>
    draftManifest(
      files.map((file) => (isAddress(file) ? file : resolve(file))),
      {
        schema,
        sheet,
        hours,
        pathOf: (path) => relative(folder, path),
        temporaryDirectory: tmpdir(),
        memoryLimitBytes: config.publishMemoryBytes,
        unpackedBytesMax: config.publishUnpackedBytes,
        threads: config.threads,
        environment: process.env,
        onProgress: progress.update,
        signal,
      },
    ),
  )
    .catch((error: unknown) => {
      if (!(error instanceof ImportError)) throw error;
      throw new PublishError(
        error.message,
        'Nothing was written. Correct the file, or write the manifest yourself: docs/how-to/publish-your-data.md.',
      );
    })
    .finally(progress.end);
  for (const line of folderLines(draft)) output.messages(`${escapeControls(line)}\n`);
  return draft;
}
