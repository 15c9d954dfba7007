import { basename, resolve } from 'node:path';
import { type DatasetSource, type FileReading, PLAIN_READING } from './manifest.ts';
import type { Report } from './manifest-report.ts';
import { type DatasetDocument, FILE_FORMATS, type FileFormat } from './manifest-schema.ts';
import { readFieldSource } from './read-field-source.ts';
import { DELIMITER_NAMES, delimiterCharacter } from './read-schema.ts';
import { readSteps } from './read-steps.ts';

/** The source of the rows of a dataset, and how they are read. */
export function readSource(
  declared: DatasetDocument,
  at: readonly string[],
  folder: string,
  report: Report,
): DatasetSource {
  const files = typeof declared.files === 'string' ? [declared.files] : declared.files;
  const addresses = files.filter((file) => ADDRESS.test(file));
  for (const address of addresses) {
    report(
      [...at, 'files'],
      `'${address}' is an address, and files are read from this machine only.`,
      'Download the file, and write the path of the copy.',
    );
  }
  const formats = new Set(files.map((file) => declared.format ?? formatOfName(file)));
  const format = [...formats][0];
  if (addresses.length === 0 && (format === undefined || formats.size > 1)) {
    report(
      [...at, 'files'],
      format === undefined
        ? `The name of '${files.join("', '")}' does not show its format.`
        : `The files have several formats: ${[...formats].join(', ')}.`,
      `Declare one with format: ${FILE_FORMATS.join(', ')}.`,
    );
  }
  return {
    files: files.map((file) => resolve(folder, file)),
    format: format ?? 'csv',
    fields: readFieldSources(declared, format, at, report),
    reading: readReading(declared, format, at, report),
    ...readSteps(declared, format, at, report),
  };
}

function readFieldSources(
  declared: DatasetDocument,
  format: FileFormat | undefined,
  at: readonly string[],
  report: Report,
): DatasetSource['fields'] {
  return new Map(
    Object.keys(declared.fields).map((name) => {
      const place = [...at, 'fields', name];
      return [name, readFieldSource({ name, declared, format, at: place, report })];
    }),
  );
}

function readReading(
  { csv, read }: DatasetDocument,
  format: FileFormat | undefined,
  at: readonly string[],
  report: Report,
): FileReading {
  const kind = format ?? 'of no known format';
  if (csv !== undefined && !isDelimited(format)) {
    report([...at, 'csv'], `The files are ${kind}, not CSV.`);
  }
  if (csv !== undefined && read !== undefined) {
    report([...at, 'csv'], 'The dataset has both csv and read.', 'Write its keys under read.');
  }
  for (const key of Object.keys(read ?? {})) {
    const formats = READ_KEYS[key] ?? [];
    if (format === undefined || formats.includes(format)) continue;
    report(
      [...at, 'read', key],
      `The files are ${format}, and this is for ${formats.join(', ')}.`,
      'Leave this out.',
    );
  }
  const written = read?.delimiter ?? csv?.delimiter;
  const delimiter = written === undefined ? undefined : delimiterCharacter(written);
  if (written !== undefined && delimiter === undefined) {
    report(
      [...at, 'read', 'delimiter'],
      `'${written}' is not a delimiter.`,
      `Write ${DELIMITER_NAMES.join(', ')}, or one character.`,
    );
  }
  return {
    encoding: read?.encoding,
    delimiter,
    quote: read?.quote ?? csv?.quote ?? PLAIN_READING.quote,
    hasHeader: read?.header ?? PLAIN_READING.hasHeader,
    skipLines: read?.skip_lines ?? PLAIN_READING.skipLines,
    footer: read?.footer ?? PLAIN_READING.footer,
    nulls: read?.nulls ?? PLAIN_READING.nulls,
    member: read?.member,
    sheet: read?.sheet,
  };
}

const DELIMITED: readonly FileFormat[] = ['csv', 'tsv'];
const TABLES: readonly FileFormat[] = [...DELIMITED, 'xlsx'];

/** The formats that each key of `read` is for. */
const READ_KEYS: Readonly<Record<string, readonly FileFormat[]>> = {
  encoding: [...DELIMITED, 'ndjson', 'geojson'],
  delimiter: DELIMITED,
  quote: DELIMITED,
  header: TABLES,
  skip_lines: TABLES,
  footer: TABLES,
  nulls: TABLES,
  member: [...DELIMITED, 'parquet', 'ndjson', 'geojson'],
  sheet: ['xlsx'],
};

function isDelimited(format: FileFormat | undefined): boolean {
  return format === 'csv' || format === 'tsv';
}

/** The address of a remote file, such as https://… or s3://…, but not a drive such as C:\\. */
const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\//i;

const FORMAT_BY_SUFFIX: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  parquet: 'parquet',
  pq: 'parquet',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  geojson: 'geojson',
};

/** The format of a file by its name; undefined if the name does not show it. */
export function formatOfName(file: string): FileFormat | undefined {
  const suffix =
    basename(file)
      .toLowerCase()
      .replace(/\.(gz|zip)$/, '')
      .split('.')
      .at(-1) ?? '';
  return FORMAT_BY_SUFFIX[suffix];
}
