import { isVersionName } from '@locmetrics/core/domain/version-name';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { roundedSize } from '@locmetrics/core/errors/size-text';
import {
  type CurrentFile,
  readCurrentFile,
} from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type { ListedMetricVersion } from '@locmetrics/data-directory/versions/list-metric-versions';
import {
  type ListedVersion,
  listVersions,
  type VersionList,
} from '@locmetrics/data-directory/versions/list-versions';
import {
  explainUnownedVersion,
  ownerOf,
} from '@locmetrics/data-directory/versions/unknown-version';
import { escapeControls } from '@locmetrics/ingest/problems/import-error';
import type { Run, Texts } from '../../cli/define-command.ts';
import { formatTable, jsonLine, type Output } from '../../cli/output.ts';
import { NOTHING_PUBLISHED, selectDatasets } from '../../compose/select-datasets.ts';
import { openUpToDate } from '../../compose/with-versions.ts';
import { ConfigError } from '../../config/config-error.ts';
import { quote } from '../../config/quote.ts';

/** A terminal shows this many switches; JSON has all of them. */
const HISTORY_SHOWN = 20;

export const listVersionsAction: Run<Texts<'dataset'>> = async (
  output,
  { dataset: name, settings, json },
) => {
  const { directory } = await openUpToDate({ settings, output });
  const current = readCurrentFile(directory.current);
  const { versions, history, metricVersions, problems } = select(directory, current, name);
  if (json) output.data(jsonLine({ versions, history, metricVersions }));
  else if (versions.length === 0) output.messages(`${NOTHING_PUBLISHED}\n`);
  else printTables(output, { versions, history, metricVersions });
  for (const problem of problems) output.messages(`${problem}\nSee: locmetrics verify\n`);
};

/** All versions; or those of a dataset, of a metric, or the one with this name and what it is made of. */
function select(
  directory: DataDirectory,
  current: CurrentFile,
  name: string | undefined,
): VersionList {
  if (name !== undefined && isVersionName(name)) return selectVersion(directory, current, name);
  if (name?.includes('/')) return selectMetric(directory, current, name);
  const selected = selectDatasets(current, name).map(([one]) => one);
  return listVersions(directory, current, selected);
}

function selectVersion(directory: DataDirectory, current: CurrentFile, name: string): VersionList {
  const all = listVersions(directory, current);
  const metricVersions = all.metricVersions.filter(
    ({ version, madeOf }) => version === name || madeOf.some((part) => part.version === name),
  );
  const isOfMetric = metricVersions.some(({ version }) => version === name);
  if (ownerOf(current, name) === undefined && !isOfMetric) {
    throw new ConfigError(
      explainUnownedVersion({ directory, current }, name),
      'All versions: locmetrics versions',
    );
  }
  const named = new Set([
    name,
    ...metricVersions
      .filter(({ version }) => version === name)
      .flatMap(({ madeOf }) => madeOf.map(({ version }) => version)),
  ]);
  return {
    versions: all.versions.filter(({ version }) => named.has(version)),
    history: all.history.filter(({ version }) => named.has(version)),
    metricVersions,
    problems: [],
  };
}

function selectMetric(directory: DataDirectory, current: CurrentFile, name: string): VersionList {
  const all = listVersions(directory, current);
  const metricVersions = all.metricVersions.filter(({ metric }) => metric === name);
  if (metricVersions.length === 0) {
    throw new ConfigError(
      `No metric ${quote(name)} is published.`,
      nameHint(name, [...new Set(all.metricVersions.map(({ metric }) => metric))]),
    );
  }
  const datasets = new Set(
    metricVersions.flatMap(({ madeOf }) => madeOf.map((one) => one.dataset)),
  );
  return {
    versions: all.versions.filter(({ dataset }) => datasets.has(dataset)),
    history: all.history.filter(({ dataset }) => datasets.has(dataset)),
    metricVersions,
    problems: [],
  };
}

function printTables(
  output: Output,
  { versions, history, metricVersions }: Omit<VersionList, 'problems'>,
): void {
  output.data(versionTable(versions));
  const combined = metricVersions.filter(({ madeOf }) => madeOf.length > 1);
  if (combined.length > 0) output.data(`\n${metricTable(combined)}`);
  output.data(
    `\n${formatTable(
      ['CURRENT SINCE', 'UNTIL', 'DATASET', 'VERSION', 'BY'],
      history
        .slice(0, HISTORY_SHOWN)
        .map(({ since, until, dataset, version, by }) => [
          since,
          until ?? 'now',
          dataset,
          version,
          by,
        ]),
    )}`,
  );
  const noticed = noticeRows(versions);
  if (noticed.length > 0)
    output.data(`\n${formatTable(['DATASET', 'VERSION', 'NOTICE'], noticed)}`);
  const more = history.length - HISTORY_SHOWN;
  if (more > 0) output.messages(`${more} earlier switches: use --json to see them.\n`);
}

/** The notices of the publishes, for all listed versions of one dataset, or the current versions of several. */
function noticeRows(versions: readonly ListedVersion[]): readonly (readonly string[])[] {
  const isOfOne = new Set(versions.map(({ dataset }) => dataset)).size === 1;
  return versions
    .filter(({ state }) => isOfOne || state === 'current')
    .flatMap(({ dataset, version, notices }) =>
      (notices ?? []).map((notice) => [dataset, version, escapeControls(notice)]),
    );
}

function versionTable(versions: readonly ListedVersion[]): string {
  return formatTable(
    ['DATASET', 'VERSION', 'STATE', 'PUBLISHED', 'ROWS', 'SIZE'],
    versions.map(({ dataset, version, state, publishedTime, rowCount, bytes }) => [
      dataset,
      version,
      state,
      publishedTime,
      rowCount === null ? '-' : rowCount.toLocaleString('en-US'),
      bytes === null ? '-' : roundedSize(bytes),
    ]),
  );
}

/** Metrics over the same datasets have the same versions: a line for each version. A version of one dataset has its name. */
function metricTable(listed: readonly ListedMetricVersion[]): string {
  const byVersion = Map.groupBy(listed, ({ version }) => version);
  const lines = [...byVersion.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const madeOf = first.madeOf.map(({ dataset, version }) => `${version} of ${dataset}`);
    const metrics = same.map(({ metric }) => metric);
    return [[first.version, first.state, madeOf.join(' + '), namesText(metrics)]];
  });
  return formatTable(['METRIC VERSION', 'STATE', 'MADE OF', 'METRICS'], lines);
}

const METRICS_SHOWN = 3;

function namesText(names: readonly string[]): string {
  const more = names.length - METRICS_SHOWN;
  const shown = names.slice(0, METRICS_SHOWN).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}
