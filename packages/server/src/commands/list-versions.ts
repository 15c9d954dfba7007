import type { Output } from '../cli/output.ts';
import { jsonLine } from '../cli/print-list.ts';
import type { Action } from '../cli/program.ts';
import { formatTable } from '../cli/table.ts';
import { roundedSize } from '../domain/size-text.ts';
import { publishedTimeOf } from '../domain/version-name.ts';
import { type CurrentDataset, readCurrentFile } from '../versions/current-file.ts';
import type { DataDirectory } from '../versions/data-directory.ts';
import { DataDirectoryError } from '../versions/data-directory-error.ts';
import { listHistory } from '../versions/switch-versions.ts';
import { readVersionFile } from '../versions/version-file.ts';
import { openDirectory } from './open-data.ts';
import { NOTHING_PUBLISHED, selectDatasets } from './select-datasets.ts';

/** A terminal shows this many switches; JSON has all of them. */
const HISTORY_SHOWN = 20;

export const listVersionsAction: Action<'listVersions'> = async (
  output,
  name,
  { settings, json },
) => {
  const { directory } = openDirectory({ settings, output });
  const current = readCurrentFile(directory.current);
  const selected = selectDatasets(current, name);
  const found = selected.flatMap(([dataset, entry]) => listDataset(directory, dataset, entry));
  const versions = found.map(({ version }) => version);
  const history = listHistory({ ...current, datasets: Object.fromEntries(selected) });
  if (json) output.data(jsonLine({ versions, history }));
  else if (versions.length === 0) output.messages(`${NOTHING_PUBLISHED}\n`);
  else printTables(output, versions, history);
  for (const { problem } of found) {
    if (problem !== undefined) output.messages(`${problem}\nSee: locmetrics verify\n`);
  }
};

/** A row of the list; null for facts that are no longer known. */
type ListedVersion = {
  readonly dataset: string;
  readonly version: string;
  readonly state: 'current' | 'kept' | 'withdrawn';
  readonly publishedTime: string;
  readonly rowCount: number | null;
  readonly bytes: number | null;
  readonly withdrawnTime: string | null;
};

type FoundVersion = { readonly version: ListedVersion; readonly problem: string | undefined };

/** The newest first. */
function listDataset(
  directory: DataDirectory,
  name: string,
  { version: current, kept, withdrawn }: CurrentDataset,
): readonly FoundVersion[] {
  const ofKept = kept.map((version): FoundVersion => {
    const state = version === current ? 'current' : 'kept';
    const read = readCounts(directory.version(name, version));
    return {
      version: { ...describe(name, version), state, ...read.counts, withdrawnTime: null },
      problem: read.problem,
    };
  });
  const ofWithdrawn = withdrawn.map(({ version, time }): FoundVersion => {
    // Its data are removed, or can be at any time.
    const facts = { state: 'withdrawn', ...UNKNOWN, withdrawnTime: time } as const;
    return { version: { ...describe(name, version), ...facts }, problem: undefined };
  });
  return [...ofKept, ...ofWithdrawn].sort((left, right) =>
    left.version.version < right.version.version ? 1 : -1,
  );
}

function describe(dataset: string, version: string) {
  return { dataset, version, publishedTime: publishedTimeOf(version) };
}

const UNKNOWN = { rowCount: null, bytes: null };

/** A damaged version must not prevent the list of the others. */
function readCounts(folder: string): {
  readonly counts: Pick<ListedVersion, 'rowCount' | 'bytes'>;
  readonly problem?: string;
} {
  try {
    const file = readVersionFile(folder);
    if (file === undefined) return { counts: UNKNOWN, problem: `${folder} is missing.` };
    const parts = [file.files, file.derived ?? {}].flatMap((files) => Object.values(files));
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    return { counts: { rowCount: file.version.rowCount ?? null, bytes } };
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error;
    return { counts: UNKNOWN, problem: error.message };
  }
}

function printTables(
  output: Output,
  versions: readonly ListedVersion[],
  history: ReturnType<typeof listHistory>,
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
  const more = history.length - HISTORY_SHOWN;
  if (more > 0) output.messages(`${more} earlier switches: use --json to see them.\n`);
}
