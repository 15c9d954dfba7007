import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listSourceFiles } from '../../formats/list-source-files.ts';
import { formatOfName } from '../../manifest/read-source.ts';
import { isAddress } from '../../manifest/source-address.ts';
import { PublishError } from '../../problems/publish-error.ts';

/** A file of a folder that is not in the draft. */
export type LeftFile = {
  readonly path: string;
  /** Continues the sentence that starts with the file. */
  readonly reason: string;
  /** Whether it seems to have data, so that its owner has to know. */
  readonly isData: boolean;
};

export type DraftFiles = {
  /** Those that were named, and those of folders. */
  readonly files: readonly string[];
  /** Those of folders: of each, why it cannot be read is a remark and no refusal. */
  readonly found: ReadonlySet<string>;
  readonly left: readonly LeftFile[];
};

/** The files to draft: as they are named, and the data files of folders, in the order of their names. */
export async function listDraftFiles(paths: readonly string[]): Promise<DraftFiles> {
  const files: string[] = [];
  const found = new Set<string>();
  const left: LeftFile[] = [];
  for (const path of paths) {
    const isFolder = !isAddress(path) && (await stat(path).catch(() => undefined))?.isDirectory();
    if (isFolder !== true) {
      files.push(...(await listSourceFiles([path])));
      continue;
    }
    const listed = await listFolder(path);
    for (const file of listed.files) found.add(file);
    files.push(...listed.files);
    left.push(...listed.left);
  }
  for (const file of files) if (paths.includes(file)) found.delete(file);
  return { files: [...new Set(files)], found, left };
}

type Listed = { readonly files: readonly string[]; readonly left: readonly LeftFile[] };

/** The data files of a folder, or those of the folders in it, if it has none itself. */
async function listFolder(folder: string): Promise<Listed> {
  const left: LeftFile[] = [];
  let folders: readonly string[] = [folder];
  for (let depth = 0; depth < DEPTH_MAX && folders.length > 0; depth += 1) {
    const files: string[] = [];
    const below: string[] = [];
    for (const one of folders) {
      for (const name of await namesIn(one)) {
        const path = join(one, name);
        if ((await stat(path).catch(() => undefined))?.isDirectory()) {
          if (!name.startsWith('.') && name !== 'node_modules') below.push(path);
          continue;
        }
        const other = whyNoData(name);
        if (other === undefined) files.push(path);
        else left.push({ path, ...other });
      }
    }
    if (files.length > FILES_MAX) throw tooMany(folder, files.length);
    if (files.length > 0) return { files, left: [...left, ...below.map(ofFolder)] };
    folders = below;
    if (folders.length > FILES_MAX) throw tooMany(folder, folders.length);
  }
  throw noFiles(folder, left);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new PublishError(`${folder} cannot be read (${code}).`, 'Check its permissions.');
  }
}

/** Why a file is left, by its name; undefined: it is read. */
function whyNoData(name: string): Omit<LeftFile, 'path'> | undefined {
  const lower = name.toLowerCase();
  const other = (reason: string) => ({ reason, isData: false });
  if (name.startsWith('.') || name.startsWith('~$')) return other('is a hidden file');
  if (lower.endsWith('.shp')) {
    const reason =
      'is a shapefile outside an archive: put it into a zip archive with its .dbf, .prj and .cpg';
    return { reason, isData: true };
  }
  if (/\.(dbf|shx|prj|cpg|sbn|sbx|qpj)$/.test(lower)) return other('is a part of a shapefile');
  if (DESCRIPTION.test(lower)) return other('describes the data');
  if (formatOfName(name) !== undefined || READ_BY_CONTENT.test(lower)) return undefined;
  if (OTHER_DATA.test(lower)) {
    return { reason: 'has a format that is not read: export its rows as CSV', isData: true };
  }
  return other('has no name of a data file');
}

const READ_BY_CONTENT =
  /\.(txt|dat|asc|json|zip|gz|sqlite3?|db|xls|7z|rar|bz2|xz|zst|arrow|feather)$/;
const OTHER_DATA = /\.(ods|numbers|sav|dta|rds|rdata|sas7bdat|kml|kmz|gml|px|mdb|accdb|orc|avro)$/;
const DESCRIPTION =
  /^(readme|license|licence|copying|notice|changelog|source|about|metadata)\b[^.]*\.?(txt|md|json)?$|^(package|package-lock|tsconfig|datapackage)\.json$/;

function ofFolder(path: string): LeftFile {
  return { path, reason: 'is a folder: name it to draft its files', isData: false };
}

function tooMany(folder: string, count: number): PublishError {
  return new PublishError(
    `${folder} has ${count.toLocaleString('en-US')} files, and a draft has at most ${FILES_MAX.toLocaleString('en-US')} of a folder.`,
    `Name those that belong together by a pattern, such as '${join(folder, 'visits-2024-*.csv')}', or draft a few of them: the manifest can have a pattern of files.`,
  );
}

function noFiles(folder: string, left: readonly LeftFile[]): PublishError {
  const shown = left.slice(0, 5).map(({ path, reason }) => `${path} ${reason}`);
  const others = left.length > shown.length ? `; and ${left.length - shown.length} more` : '';
  return new PublishError(
    `${folder} has no data files.${shown.length === 0 ? '' : ` ${shown.join('; ')}${others}.`}`,
    'Choose a folder with CSV, TSV, xlsx, Parquet, JSON or GeoJSON files, GeoPackages or zipped shapefiles, or name the files.',
  );
}

const FILES_MAX = 1000;
const DEPTH_MAX = 5;
