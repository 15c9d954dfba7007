import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AddressEnvironment } from '../addresses/address-request.ts';
import { FILE_FORMATS, isTable } from '../manifest/file-formats.ts';
import { ManifestError } from '../manifest/manifest-error.ts';
import { partOfName } from '../manifest/name-pattern.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { isAddress } from '../manifest/source-address.ts';
import { ImportError } from '../problems/import-error.ts';
import { PublishError } from '../problems/publish-error.ts';
import { alignCodes } from './align-codes.ts';
import { chooseKeys } from './choose-keys.ts';
import { doubtNames } from './doubt-names.ts';
import { type DraftDataset, type DraftOptions, draftDataset } from './draft-dataset.ts';
import { draftHours } from './draft-hours.ts';
import { draftNamed } from './draft-named.ts';
import { draftNested } from './draft-nested.ts';
import { type InspectedFile, inspectFile } from './files/inspect-file.ts';
import { type DraftFiles, type LeftFile, listDraftFiles } from './files/list-draft-files.ts';
import type { HourChoice } from './keys/find-hours.ts';
import { proposeAdditivity } from './propose-additivity.ts';
import { type DraftLayer, type DraftMetric, relateDatasets } from './relate-datasets.ts';
import { splitPlaces, splitUnrelated } from './split-places.ts';
import { unpivotPlaces } from './unpivot-places.ts';
import { findNames, withoutPeriods } from './values/name-column.ts';
import { yearOfFile } from './values/period-of-file.ts';
import { findSharedCodes } from './values/shared-codes.ts';
import { datasetNameOf, distinctName } from './values/valid-name.ts';
import { manifestText } from './write-manifest.ts';

export type DraftManifest = {
  readonly text: string;
  readonly datasets: readonly DraftDataset[];
  readonly layers: readonly DraftLayer[];
  readonly metrics: readonly DraftMetric[];
  /** The files of folders that are in the draft, and those that are not. */
  readonly taken: readonly string[];
  readonly left: readonly LeftFile[];
};

/** Looks at files, and at those of folders, and writes a first manifest that publishes them. */
export async function draftManifest(
  paths: readonly string[],
  {
    schema,
    pathOf,
    ...options
  }: Omit<DraftOptions, 'limits' | 'isShared' | 'codes'> & {
    readonly unpackedBytesMax: number;
    readonly schema: string;
    /** The only sheet of workbooks; undefined: all that are tables. */
    readonly sheet?: string | undefined;
    /** What becomes of hours; undefined: the owner has to look at it. */
    readonly hours?: HourChoice | undefined;
    /** With the credentials of S3. */
    readonly environment: AddressEnvironment;
    /** The path of a file in the manifest. */
    readonly pathOf: (path: string) => string;
  },
): Promise<DraftManifest> {
  const limits = {
    unpackedBytesMax: options.unpackedBytesMax,
    documentBytesMax: options.memoryLimitBytes,
  };
  const folder = await mkdtemp(join(options.temporaryDirectory, 'locmetrics-init-'));
  try {
    const listed = await listDraftFiles(paths);
    const unread = leaveUnread(listed);
    const seen: InspectedFile[] = [];
    for (const path of listed.files) {
      const onRead = (fraction: number) =>
        options.onProgress(datasetNameOf(path), { stage: 'reading', fraction: fraction / 2 });
      const inspect = () => inspectFile(path, { ...options, limits, folder, onRead });
      const tables = (await unread.attempt([path], inspect)) ?? [];
      if (listed.found.has(path) && tables.some(isProse)) unread.add(path);
      else seen.push(...tables);
    }
    const drafts: DraftDataset[] = [];
    const names = new Set<string>();
    const within = { ...options, limits, temporaryDirectory: folder };
    for (const drafted of await draftGroups(groupFiles(seen), within, unread)) {
      const shared = { ...within, isShared: seen.length > 1 };
      const nested = await draftNested(drafted, shared, options.hours);
      for (const dataset of [...splitPlaces(nested), ...(nested.derived ?? [])]) {
        const name = distinctName(dataset.name, names);
        names.add(name);
        drafts.push({ ...dataset, name });
      }
    }
    const aligned = doubtNames(alignCodes(chooseKeys(withoutKnown(drafts))));
    const { metrics } = relateDatasets(aligned);
    const datasets = splitUnrelated(aligned, ({ name }) =>
      metrics.some((metric) => metric.dataset === name),
    )
      .map((dataset) => draftHours(dataset, options.hours))
      .map((dataset) => ({ ...dataset, fields: proposeAdditivity(dataset) }));
    const left = unread.all();
    const parts = {
      schema,
      unread: left.filter(({ isData }) => isData),
      pathOf: ({ named }: InspectedFile) => (isAddress(named) ? named : pathOf(named)),
      datasets,
    };
    const taken = [...new Set(seen.map(({ named }) => named))].filter(
      (path) => listed.found.has(path) && !left.some((one) => one.path === path),
    );
    const related = relateDatasets(datasets);
    const whole = manifestText({ ...parts, ...related });
    const problem = await findProblem(whole, folder);
    if (problem === undefined) return { text: whole, datasets, taken, left, ...related };
    // Names of layers and metrics can clash. Datasets publish without them.
    const leftOut = `Layers and metrics are left out, because they would be refused: ${problem}`;
    const none = { layers: [], metrics: [] };
    return { text: manifestText({ ...parts, ...none, leftOut }), datasets, taken, left, ...none };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Goes on without the files of a folder that cannot be read. Those that were named are refused. */
function leaveUnread({ found, files, left }: DraftFiles) {
  const unread: LeftFile[] = [];
  return {
    all: (): readonly LeftFile[] => [...left, ...unread],
    add: (path: string): void => {
      unread.push({ path, reason: 'has no table', isData: false });
    },
    attempt: async <Result>(
      paths: readonly string[],
      work: () => Promise<Result>,
    ): Promise<Result | undefined> => {
      try {
        return await work();
      } catch (error) {
        const isRefused = error instanceof PublishError || error instanceof ImportError;
        if (!isRefused || !paths.every((path) => found.has(path))) throw error;
        const text = error.message.replaceAll(/\s*\n\s*/g, ' ').replace(/\.$/, '');
        // A file has a place for each of its tables.
        for (const path of new Set(paths)) {
          const isOwn = text.startsWith(`${path} `);
          const reason = isOwn ? text.slice(path.length + 1) : `cannot be drafted: ${text}`;
          unread.push({ path, reason, isData: true });
        }
        if (files.every((path) => unread.some((one) => one.path === path))) throw error;
        return undefined;
      }
    },
  };
}

/** Whether a text whose name does not show a format has lines of one value. */
function isProse({ isNamed, format, header, reading }: InspectedFile): boolean {
  return !isNamed && format === 'csv' && !header.includes(reading.delimiter ?? ',');
}

/** Keys of maps are places of their own only if no file has these places. */
function withoutKnown(drafts: readonly DraftDataset[]): readonly DraftDataset[] {
  const places = drafts.filter(
    ({ isOfKeys, key, period }) =>
      isOfKeys !== true && key.fields.length === 1 && period === undefined,
  );
  return drafts.filter((dataset) => {
    const [values] = dataset.isOfKeys === true ? dataset.keyValues.values() : [];
    if (values === undefined) return true;
    return !places.some(({ keyValues }) =>
      [...keyValues.values()].some((known) => [...values].every((value) => known.has(value))),
    );
  });
}

/** Drafts each group of files, and again where its numbers are the codes of another one. */
async function draftGroups(
  groups: readonly (readonly InspectedFile[])[],
  options: Omit<DraftOptions, 'isShared' | 'codes'>,
  { attempt }: ReturnType<typeof leaveUnread>,
): Promise<readonly DraftDataset[]> {
  const isShared = groups.length > 1;
  const drafted: DraftDataset[] = [];
  const read: (readonly InspectedFile[])[] = [];
  const series = Map.groupBy(groups, seriesName);
  const optionsOf = (files: readonly InspectedFile[]) => {
    const isOfSeries =
      (series.get(seriesName(files))?.length ?? 0) > 1 || isOfOtherYear(files, groups);
    return { ...options, isShared, isOfSeries };
  };
  for (const files of groups) {
    const paths = files.map(({ named }) => named);
    const named = await attempt(paths, () => draftNamed(files, optionsOf(files)));
    if (named === undefined) continue;
    drafted.push(named.dataset);
    read.push(named.files);
  }
  const shared = findSharedCodes(drafted);
  for (const [index, files] of read.entries()) {
    const codes = shared[index];
    if (codes === undefined || codes.size === 0) continue;
    drafted[index] = await draftDataset(files, { ...optionsOf(files), codes });
  }
  for (const [index, dataset] of drafted.entries()) {
    const places = unpivotPlaces(dataset, drafted);
    if (places === undefined) continue;
    const codes = shared[index] ?? new Map();
    const own = { ...optionsOf(dataset.files), codes, places };
    drafted[index] = await draftDataset(dataset.files, own);
  }
  return drafted;
}

/** Whether another file has the same columns, and another year in its name: visits_2021_final and visits-2022. */
function isOfOtherYear(
  [seen]: readonly InspectedFile[],
  groups: readonly (readonly InspectedFile[])[],
): boolean {
  const columns = seen === undefined ? '' : columnsOf(seen);
  const year = seen && yearOfFile(seen)?.texts[0];
  return (
    columns !== '' &&
    year !== undefined &&
    groups.some(([other]) => {
      const isSame = other !== undefined && other !== seen && columnsOf(other) === columns;
      const otherYear = isSame ? yearOfFile(other)?.texts[0] : undefined;
      return otherYear !== undefined && otherYear !== year;
    })
  );
}

/** The name of files, or of sheets, without their period. */
function seriesName([seen]: readonly InspectedFile[]): string {
  return withoutPeriods(JSON.stringify([seen?.named, seen?.reading.sheet]));
}

/** The first reason why a manifest would be refused. */
async function findProblem(text: string, folder: string): Promise<string | undefined> {
  const path = join(folder, 'locmetrics.yaml');
  await writeFile(path, text);
  try {
    await readManifest(path);
    return undefined;
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const { path: at = '', reason = error.message } = error.problems[0] ?? {};
    return at === '' ? reason : `${at}: ${reason}`;
  }
}

/** Sheets of a workbook whose names differ in the period only, and that have the same columns, are one table. */
function joinSheets(
  groups: readonly (readonly InspectedFile[])[],
): readonly (readonly InspectedFile[])[] {
  const joined = Map.groupBy(groups, ([seen]) =>
    seen?.reading.sheet === undefined || seen.block !== undefined
      ? seen
      : JSON.stringify([
          seen.named,
          withoutPeriods(seen.reading.sheet),
          { ...seen.reading, sheet: undefined },
          seen.headerNames,
          seen.names,
        ]),
  );
  return [...joined.values()].flatMap((same) => {
    const sheets = same.flat();
    const names = findNames(sheets);
    const areAll = (seen: InspectedFile) =>
      seen.sheets.every(
        (name) =>
          partOfName(names?.column.pattern ?? '', name) === undefined ||
          sheets.some(({ reading }) => reading.sheet === name),
      );
    return names?.of === 'sheet' && sheets.every(areAll) ? [sheets] : same;
  });
}

/** Files with the same columns but unlike names may be parts of one table; a CHECK asks the owner. */
function withSameColumns(
  files: readonly InspectedFile[],
  groups: readonly (readonly InspectedFile[])[],
): readonly InspectedFile[] {
  const [first, ...rest] = files;
  const columns = first === undefined ? '' : columnsOf(first);
  if (first === undefined || columns === '') return files;
  const others = groups.filter(
    (group) => group !== files && group[0] && columnsOf(group[0]) === columns,
  );
  if (others.length === 0) return files;
  const { sheet } = first.reading;
  const areSheets = sheet !== undefined && others.every(([other]) => other?.named === first.named);
  const names = others.map(([other]) =>
    areSheets ? `'${other?.reading.sheet}'` : basename(other?.named ?? ''),
  );
  const shown = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
  const have = `${areSheets ? (names.length === 1 ? 'The sheet ' : 'The sheets ') : ''}${shown} ${names.length === 1 ? 'has' : 'have'} the same columns.`;
  const what = areSheets
    ? "make them one dataset with read: { sheet_name: { part: '*' } }, in which * stands for what differs in their names"
    : "list them under files: of one dataset, with read: { file_name: { part: '*.csv' } }, in which * stands for what differs in their names";
  const doubt = `${have} If they are parts of one table, ${what}.`;
  return [{ ...first, doubts: new Map([...first.doubts, ['files', [doubt]] as const]) }, ...rest];
}

function columnsOf({ format, header, headerNames = [], block }: InspectedFile): string {
  const isClear = block === undefined && headerNames.filter((name) => name !== '').length > 2;
  return isClear && isTable(format) ? JSON.stringify([format, header, headerNames]) : '';
}

/** Tables whose names differ in digits only and that are read in the same way are one dataset. */
function groupFiles(seen: readonly InspectedFile[]): readonly (readonly InspectedFile[])[] {
  const groups = Map.groupBy(seen, ({ named, format, reading, header, block }) =>
    FILE_FORMATS[format].delimiter !== undefined
      ? JSON.stringify([withoutPeriods(named), format, reading, header, block])
      : JSON.stringify([named, reading.sheet, block]),
  );
  return joinSheets([...groups.values()]).map((files, _, all) => withSameColumns(files, all));
}
