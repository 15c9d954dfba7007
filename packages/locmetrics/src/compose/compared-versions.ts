import {
  type CurrentDataset,
  type CurrentFile,
  readCurrentFile,
} from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { findPublishedBefore } from '@locmetrics/data-directory/versions/switch-versions';
import { explainUnknownVersion } from '@locmetrics/data-directory/versions/unknown-version';
import type { ComparedVersions } from '@locmetrics/data-directory/versions/version-operations';
import type { VersionDiff } from '@locmetrics/ingest/publish/diff-versions';
import { ConfigError } from '../config/config-error.ts';
import { quote } from '../config/quote.ts';
import { selectDatasets } from './select-datasets.ts';

/** Names of versions. */
export type Pair = { readonly before: string; readonly after: string };

/** Chooses the versions to compare: those given, or the current one and the one published before it. */
export function choosePair(
  directory: DataDirectory,
  name: string,
  given: { readonly before: string | undefined; readonly after: string | undefined },
): Pair {
  const current = readCurrentFile(directory.current);
  const [[, dataset] = []] = selectDatasets(current, name);
  if (dataset === undefined) throw new Error('A dataset that was selected is there.');
  for (const version of [given.before, given.after]) {
    if (version !== undefined) expectKept(name, version, { directory, current });
  }
  const after = given.after ?? dataset.version;
  const before = given.before ?? versionBefore(name, after, dataset);
  if (before === after) {
    throw new ConfigError(
      `Both versions are ${quote(after)}${given.after === undefined ? ', the current version' : ''}.`,
      'Name two different versions, or none to compare the current one with the previous one.',
    );
  }
  return { before, after };
}

function expectKept(
  name: string,
  version: string,
  opened: { readonly directory: DataDirectory; readonly current: CurrentFile },
): void {
  if (opened.current.datasets[name]?.kept.includes(version)) return;
  const { message, suggestion } = explainUnknownVersion(opened, name, version);
  const listed = `See: locmetrics versions ${name}`;
  throw new ConfigError(message, suggestion === undefined ? listed : `${suggestion} ${listed}`);
}

function versionBefore(name: string, after: string, dataset: CurrentDataset): string {
  const before = findPublishedBefore(dataset, after);
  if (before !== undefined) return before;
  throw new ConfigError(
    `No version of ${name} is kept that was published before ${quote(after)}.`,
    `Name the version to compare it with. See: locmetrics versions ${name}`,
  );
}

/** The differences as JSON. */
export function toAnswer(
  name: string,
  { before, after }: Pair,
  { schema, records }: VersionDiff,
): ComparedVersions {
  return {
    dataset: name,
    before,
    after,
    isBreaking: schema.some(({ isBreaking }) => isBreaking),
    schema,
    rows: records?.rows ?? null,
    changedFields: records?.changedFields ?? [],
    examples: records?.examples ?? { added: [], removed: [], changed: [] },
  };
}
