import { join } from 'node:path';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import { type Dataset, findField } from '@locmetrics/core/domain/dataset';
import {
  type DataDirectory,
  VERSION_FILE,
} from '@locmetrics/data-directory/versions/data-directory';
import { readDerived } from '@locmetrics/data-directory/versions/own-derived';
import {
  type FileSummary,
  readVersionFile,
  summarizeFile,
  type VersionFile,
} from '@locmetrics/data-directory/versions/version-file';
import { PublishError } from '../problems/publish-error.ts';
import type { BaseRows } from '../rows/base-rows.ts';
import { type ColumnFolders, hasColumns } from './column-folders.ts';

/** The version that a new one is built upon: the new version contains rows of it. */
export type BaseVersion = Omit<BaseRows, 'sources' | 'replaced'> & {
  readonly sources: VersionFile['sources'];
};

/**
 * The current version of a dataset, checked to be intact and to fit the current declaration of the dataset.
 * Undefined if there is none.
 */
export async function findBase(
  dataset: Dataset,
  /** The name of the current version. */
  version: string | undefined,
  options: {
    readonly directory: DataDirectory;
    readonly columns: ColumnFolders;
    /** Whether a database has the records too, so that the column file may be absent. */
    readonly isInDatabase: boolean;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<BaseVersion | undefined> {
  if (version === undefined) return undefined;
  const folder = options.directory.version(dataset.name, version);
  const file = readVersionFile(folder);
  if (file === undefined) throw damaged(dataset.name, version, `${VERSION_FILE} is missing`);
  const differences = listDifferences(file.version.dataset, dataset);
  if (differences.length > 0) {
    throw new PublishError(
      `${dataset.name} is declared differently than in version ${version}, which the new version would extend: ${differences.join('; ')}.`,
      'Publish all rows as they are declared now, without --append and --replace-period, or declare the dataset as before.',
    );
  }
  const isDeclaredAlike = JSON.stringify(file.version.dataset) === JSON.stringify(dataset);
  const found = { version, sources: file.sources, isDeclaredAlike };
  if (!hasColumns(folder)) {
    await options.columns.fetch([file.version]);
    const fetched = options.columns.of(file.version);
    if (hasColumns(fetched)) return { ...found, folder: fetched, wholeFiles: [] };
    if (options.isInDatabase) throw elsewhere(dataset.name, version);
  }
  for (const name of columnWriter.files) {
    const problem = await findDamage(join(folder, name), file.files[name], options.signal);
    if (problem !== undefined) throw damaged(dataset.name, version, `${name} ${problem}`);
  }
  const wholeFiles: string[] = [];
  for (const [name, written] of Object.entries(readDerived(folder, file))) {
    const problem = await findDamage(join(folder, name), written, options.signal);
    if (problem === undefined) wholeFiles.push(name);
  }
  return { ...found, folder, wholeFiles };
}

async function findDamage(
  path: string,
  written: FileSummary | undefined,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const { sha256 } = await summarizeFile(path, { signal });
    return sha256 === written?.sha256 ? undefined : `does not have the checksum in ${VERSION_FILE}`;
  } catch (error) {
    signal?.throwIfAborted();
    return `cannot be read (${error instanceof Error ? error.message : error})`;
  }
}

function elsewhere(datasetName: string, version: string): PublishError {
  return new PublishError(
    `The column file of the current version of ${datasetName}, ${version}, is not on this machine, so no version can extend it here.`,
    `Make it from its table: locmetrics clickhouse fetch ${datasetName}. Or publish where it is, or all rows without --append and --replace-period.`,
  );
}

function damaged(datasetName: string, version: string, what: string): PublishError {
  return new PublishError(
    `The current version of ${datasetName}, ${version}, is damaged, so no version can extend it: ${what}.`,
    `Publish all rows, without --append and --replace-period, or go back first: locmetrics rollback ${datasetName}.`,
  );
}

/** Kept rows were checked by the roles of their fields, so the roles are compared too. */
function listDifferences(before: Dataset, now: Dataset): readonly string[] {
  const fields = now.fields.flatMap(({ name, type }) => {
    const known = findField(before, name);
    if (known === undefined) return `the field ${name} is new`;
    return known.type === type ? [] : `the field ${name} was ${known.type} and is ${type}`;
  });
  const gone = before.fields
    .filter(({ name }) => findField(now, name) === undefined)
    .map(({ name }) => `the field ${name} is gone`);
  const rolesBefore = rolesOf(before);
  const roles = Object.entries(rolesOf(now)).flatMap(([role, names]) => {
    const known = rolesBefore[role];
    return known === names ? [] : `the ${role} was ${known} and is ${names}`;
  });
  return [...fields, ...gone, ...roles];
}

function rolesOf(dataset: Dataset): Readonly<Record<string, string>> {
  const { fields, key, point, period, existence, normalise } = dataset;
  const names = (fields: readonly (string | undefined)[]): string =>
    fields.every((field) => field === undefined)
      ? 'none'
      : fields.map((field) => field ?? 'open').join(', ');
  return {
    key: names(key),
    point: names([point?.latitude, point?.longitude]),
    period: names([period?.start, period?.end]),
    existence: names([existence?.start, existence?.end]),
    outline: names([fields.find(({ outline }) => outline === true)?.name]),
    normalise: names([normalise]),
  };
}
