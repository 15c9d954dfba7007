import { join } from 'node:path';
import { type Dataset, findField } from '../../domain/dataset.ts';
import { COLUMN_FILE } from '../../storage/duckdb/record-table.ts';
import { type DataDirectory, VERSION_FILE } from '../../versions/data-directory.ts';
import { readVersionFile, summarizeFile, type VersionFile } from '../../versions/version-file.ts';
import { PublishError } from '../problems/publish-error.ts';

/** The version that a new one is built upon: the new version contains rows of it. */
export type BaseVersion = {
  readonly version: string;
  readonly columnFile: string;
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
  {
    directory,
    signal,
  }: { readonly directory: DataDirectory; readonly signal?: AbortSignal | undefined },
): Promise<BaseVersion | undefined> {
  if (version === undefined) return undefined;
  const folder = directory.version(dataset.name, version);
  const columnFile = join(folder, COLUMN_FILE);
  const file = readVersionFile(folder);
  if (file === undefined) throw damaged(dataset.name, version, `${VERSION_FILE} is missing`);
  const differences = listDifferences(file.version.dataset, dataset);
  if (differences.length > 0) {
    throw new PublishError(
      `${dataset.name} is not declared as in version ${version}, which the new version would extend: ${differences.join('; ')}.`,
      'Publish all rows as they are declared now, without --append and --replace-period, or declare the dataset as before.',
    );
  }
  const found = await summarizeFile(columnFile, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw damaged(
      dataset.name,
      version,
      `${COLUMN_FILE} cannot be read (${error instanceof Error ? error.message : error})`,
    );
  });
  if (found.sha256 !== file.files[COLUMN_FILE]?.sha256) {
    throw damaged(
      dataset.name,
      version,
      `${COLUMN_FILE} does not have the checksum in ${VERSION_FILE}`,
    );
  }
  return { version, columnFile, sources: file.sources };
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

function rolesOf({ key, point, period, existence }: Dataset): Readonly<Record<string, string>> {
  const names = (fields: readonly (string | undefined)[]): string =>
    fields.every((field) => field === undefined)
      ? 'none'
      : fields.map((field) => field ?? 'open').join(', ');
  return {
    key: names(key),
    point: names([point?.latitude, point?.longitude]),
    period: names([period?.start, period?.end]),
    existence: names([existence?.start, existence?.end]),
  };
}
