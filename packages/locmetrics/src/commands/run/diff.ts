import type { SchemaChange } from '@locmetrics/data-directory/versions/list-schema-changes';
import type { FetchColumns } from '@locmetrics/data-directory/versions/version-store';
import { diffVersions, type VersionDiff } from '@locmetrics/ingest/publish/diff-versions';
import type { RequiredTexts, Run, Texts } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { showPublishProgress } from '../../cli/publish-progress.ts';
import { choosePair, type Pair, toAnswer } from '../../compose/compared-versions.ts';
import { findDataDirectory, type OpenedDirectory } from '../../compose/open-data.ts';
import { columnFetcher } from '../../compose/restore-columns.ts';
import { bringUpToDate, whileReported } from '../../compose/with-versions.ts';
import { quote } from '../../config/quote.ts';
import { untilInterrupted } from './until-interrupted.ts';

export const compareVersionsAction: Run<
  RequiredTexts<'dataset'> & Texts<'before' | 'after'>
> = async (output, { dataset: name, before, after, settings, json }) => {
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
