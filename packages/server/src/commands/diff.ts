import { jsonLine } from '../cli/output.ts';
import type { Action } from '../cli/program.ts';
import { showPublishProgress } from '../cli/publish-progress.ts';
import { ConfigError } from '../config/config-error.ts';
import { quote } from '../config/quote.ts';
import { diffVersions, type VersionDiff } from '../importer/publish/diff-versions.ts';
import {
  type CurrentDataset,
  type CurrentFile,
  readCurrentFile,
} from '../versions/current-file.ts';
import type { DataDirectory } from '../versions/data-directory.ts';
import type { SchemaChange } from '../versions/list-schema-changes.ts';
import { findPublishedBefore } from '../versions/switch-versions.ts';
import { explainUnknownVersion } from '../versions/unknown-version.ts';
import type { ComparedVersions } from '../versions/version-operations.ts';
import type { FetchColumns } from '../versions/version-store.ts';
import { findDataDirectory, type OpenedDirectory } from './open-data.ts';
import { columnFetcher } from './restore-columns.ts';
import { selectDatasets } from './select-datasets.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { bringUpToDate, whileReported } from './with-versions.ts';

export const compareVersionsAction: Action<'compareVersions'> = async (
  output,
  name,
  before,
  after,
  { settings, json },
) => {
  const opened = findDataDirectory({ settings, output });
  const { directory, config } = opened;
  await bringUpToDate(opened);
  const pair = choosePair(directory, name, { before, after });
  const progress = showPublishProgress(output);
  progress.update(name, { stage: 'comparing' });
  const diff = await untilInterrupted((signal) =>
    whileReported(opened, () =>
      diffVersions({
        ...pair,
        directory,
        isInDatabase: config.clickhouse !== undefined,
        fetchColumns: fetchColumnsWith(opened, (version) =>
          progress.update(name, { stage: `fetching ${version}` }),
        ),
        datasetName: name,
        memoryLimitBytes: config.publishMemoryBytes,
        threads: config.threads,
        onFraction: (fraction) => progress.update(name, { stage: 'comparing', fraction }),
        signal,
      }),
    ),
  ).finally(progress.end);
  output.data(json ? jsonLine(toAnswer(name, pair, diff)) : toText(name, pair, diff));
};

/** Fetches column files from the ClickHouse of the settings, if they name one. */
function fetchColumnsWith(
  opened: OpenedDirectory,
  onFetch: (version: string) => void,
): FetchColumns | undefined {
  if (opened.config.clickhouse === undefined) return undefined;
  const fetch = columnFetcher(opened);
  return (one, options) => {
    onFetch(one.version);
    return fetch(one, options);
  };
}

/** Names of versions. */
type Pair = { readonly before: string; readonly after: string };

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

function toText(name: string, { before, after }: Pair, { schema, records }: VersionDiff): string {
  return [
    `${name} ${before} → ${after}`,
    '',
    ...schemaLines(schema),
    '',
    ...(records === undefined
      ? ['Records: not compared, because the key differs.']
      : recordLines(records)),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function schemaLines(schema: readonly SchemaChange[]): readonly string[] {
  if (schema.length === 0) return ['Schema: the same.'];
  return [
    'Schema:',
    ...schema.map(
      ({ change, isBreaking }) => `  ${isBreaking ? 'breaking  ' : '          '}${change}`,
    ),
  ];
}

function recordLines({
  rows: { added, removed, changed, same },
  changedFields,
  examples,
}: NonNullable<VersionDiff['records']>): readonly string[] {
  return [
    `Records: ${count(added)} added, ${count(removed)} removed, ${count(changed)} changed, ${count(same)} the same.`,
    ...changedFields.map(({ field, rows }) => `  ${field} changed in ${count(rows)}`),
    ...(added + removed + changed === 0 ? [] : ['', 'Examples:']),
    ...examples.added.map(({ key }) => `  added    ${keyText(key)}`),
    ...examples.removed.map(({ key }) => `  removed  ${keyText(key)}`),
    ...examples.changed.map(({ key, fields }) => {
      const values = fields.map((one) => `${one.field} ${shown(one.before)} → ${shown(one.after)}`);
      return `  changed  ${keyText(key)}: ${values.join(', ')}`;
    }),
  ];
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function keyText(key: Readonly<Record<string, string>>): string {
  return Object.entries(key)
    .map(([name, text]) => `${name} ${shown(text)}`)
    .join(', ');
}

/** A text can be long, or contain control characters. */
function shown(text: string | null): string {
  return text === null ? 'absent' : quote(text);
}
