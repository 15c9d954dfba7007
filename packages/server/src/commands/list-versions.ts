import { formatTable, jsonLine, type Output } from '../cli/output.ts';
import type { Action } from '../cli/program.ts';
import { roundedSize } from '../domain/size-text.ts';
import { escapeControls } from '../importer/problems/import-error.ts';
import { readCurrentFile } from '../versions/current-file.ts';
import { type ListedVersion, listVersions, type VersionList } from '../versions/list-versions.ts';
import { NOTHING_PUBLISHED, selectDatasets } from './select-datasets.ts';
import { openUpToDate } from './with-versions.ts';

/** A terminal shows this many switches; JSON has all of them. */
const HISTORY_SHOWN = 20;

export const listVersionsAction: Action<'listVersions'> = async (
  output,
  name,
  { settings, json },
) => {
  const { directory } = await openUpToDate({ settings, output });
  const current = readCurrentFile(directory.current);
  const selected = { ...current, datasets: Object.fromEntries(selectDatasets(current, name)) };
  const { versions, history, problems } = listVersions(directory, selected);
  if (json) output.data(jsonLine({ versions, history }));
  else if (versions.length === 0) output.messages(`${NOTHING_PUBLISHED}\n`);
  else printTables(output, versions, history);
  for (const problem of problems) output.messages(`${problem}\nSee: locmetrics verify\n`);
};

function printTables(
  output: Output,
  versions: readonly ListedVersion[],
  history: VersionList['history'],
): void {
  output.data(
    formatTable(
      ['DATASET', 'VERSION', 'STATE', 'PUBLISHED', 'ROWS', 'SIZE'],
      versions.map(({ dataset, version, state, publishedTime, rowCount, bytes }) => [
        dataset,
        version,
        state,
        publishedTime,
        rowCount === null ? '-' : rowCount.toLocaleString('en-US'),
        bytes === null ? '-' : roundedSize(bytes),
      ]),
    ),
  );
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
