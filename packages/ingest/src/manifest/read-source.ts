import { basename, resolve } from 'node:path';
import { FILE_FORMAT_NAMES, FILE_FORMATS, type FileFormat } from './file-formats.ts';
import {
  type DatasetSource,
  type FileReading,
  type LookupFile,
  PLAIN_READING,
} from './manifest.ts';
import type { ReadContext, Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import { hasPlaceholder, type NameColumn } from './name-pattern.ts';
import type { Boundaries, Region } from './point-source.ts';
import { readFieldSource } from './read-field-source.ts';
import { readRegion } from './read-region.ts';
import { DELIMITER_NAMES, delimiterCharacter, SPACES, WIDE_SPACES } from './read-schema.ts';
import { type LookupDeclaration, readSteps } from './read-steps.ts';
import { addressPath, findAddressProblem, isAddress, shownAddress } from './source-address.ts';

/** The source of the rows of a dataset, and how they are read. */
export function readSource(
  declared: DatasetDocument,
  { areas, folder, report }: ReadContext & { readonly folder: string },
): DatasetSource {
  const files = typeof declared.files === 'string' ? [declared.files] : declared.files;
  const problems = files.filter(isAddress).flatMap((file) => findAddressProblem(file) ?? []);
  for (const { reason, hint } of problems) report.at('files')(reason, hint);
  const formats = new Set(files.map((file) => declared.format ?? formatOfName(file)));
  const format = [...formats][0];
  if (problems.length === 0 && (format === undefined || formats.size > 1)) {
    report.at('files')(
      format === undefined
        ? `The name of '${files.map(nameOf).join("', '")}' does not show its format.`
        : `The files have several formats: ${[...formats].join(', ')}.`,
      formatHint(files),
    );
  }
  const fields = readFieldSources(declared, { areas, format, report });
  const region = readRegion(declared, { areas, report });
  return {
    files: files.map((file) => (isAddress(file) ? file : resolve(folder, file))),
    format: format ?? 'csv',
    fields,
    areas: usedAreas(fields, region, areas),
    region,
    reading: readReading(declared, format, report),
    ...readSteps(declared, report, (lookup) => readLookup(lookup, folder, report)),
  };
}

/** A file that a step names. It is read like the files of a dataset. */
function readLookup(
  { declared, keys, ...lookup }: LookupDeclaration,
  folder: string,
  report: Report,
): LookupFile {
  const [, number = '', ...rest] = keys;
  const reportLookup = report.at(...keys);
  const { file } = declared;
  const format = declared.format ?? formatOfName(file);
  const problem = isAddress(file) ? findAddressProblem(file) : undefined;
  if (problem !== undefined) reportLookup.at('file')(problem.reason, problem.hint);
  else if (format === undefined) {
    reportLookup.at('file')(
      `The name of '${nameOf(file)}' does not show its format.`,
      formatHint([file]),
    );
  }
  for (const key of ['file_name', 'sheet_name'] as const) {
    if (declared.read?.[key] === undefined) continue;
    reportLookup.at('read', key)(
      'A step reads one table, whose name says nothing.',
      'Leave this out.',
    );
  }
  return {
    ...lookup,
    place: `rows[${number}].${rest.join('.')}.file`,
    label: nameOf(file),
    path: isAddress(file) ? file : resolve(folder, file),
    format: format ?? 'csv',
    reading: readReading(declared, format, reportLookup),
  };
}

function formatHint(files: readonly string[]): string {
  return files.every((file) => /\.json(\.gz|\.zip)?$/i.test(file))
    ? 'Declare format: ndjson, for an object on each line or one array of objects, or format: geojson.'
    : `Declare it, such as format: csv. Known formats: ${FILE_FORMAT_NAMES.join(', ')}.`;
}

function readFieldSources(
  declared: DatasetDocument,
  { report, ...options }: Omit<Parameters<typeof readFieldSource>[0], 'name' | 'declared'>,
): DatasetSource['fields'] {
  return new Map(
    Object.keys(declared.fields).map((name) => {
      const reportField = report.at('fields', name);
      return [name, readFieldSource({ ...options, name, declared, report: reportField })];
    }),
  );
}

function usedAreas(
  fields: DatasetSource['fields'],
  region: Region | undefined,
  areas: ReadonlyMap<string, Boundaries>,
): DatasetSource['areas'] {
  const names = [...fields.values()].flatMap(({ from }) =>
    from?.kind === 'area' ? [from.area] : [],
  );
  if (region?.kind === 'area') names.push(region.area);
  return [...new Set(names)].flatMap((name) => areas.get(name) ?? []);
}

function readReading(
  { csv, read }: Partial<Pick<DatasetDocument, 'csv' | 'read'>>,
  format: FileFormat | undefined,
  report: Report,
): FileReading {
  const kind = format ?? 'of an unknown format';
  if (
    csv !== undefined &&
    (format === undefined || !FILE_FORMATS[format].reads.includes('delimiter'))
  ) {
    report.at('csv')(`The files are ${kind}, not CSV.`);
  }
  if (csv !== undefined && read !== undefined) {
    report.at('csv')('The dataset has both csv and read.', 'Write its keys under read.');
  }
  for (const key of Object.keys(read ?? {})) {
    const formats = FILE_FORMAT_NAMES.filter((name) =>
      FILE_FORMATS[name].reads.some((read) => read === key),
    );
    if (format === undefined || formats.includes(format)) continue;
    report.at('read', key)(
      `The files are ${format}, but this key applies only to ${formats.join(', ')}.`,
      'Leave this out.',
    );
  }
  const written = read?.delimiter ?? csv?.delimiter;
  const delimiter = written === undefined ? undefined : delimiterCharacter(written);
  if (written !== undefined && delimiter === undefined) {
    report.at('read', 'delimiter')(
      `'${written}' is not a delimiter.`,
      `Write ${DELIMITER_NAMES.join(', ')}, or one character.`,
    );
  }
  const quote = read?.quote ?? csv?.quote ?? PLAIN_READING.quote;
  if (read?.escape !== undefined && (quote === '' || read.escape === quote)) {
    report.at('read', 'escape')(
      quote === '' ? 'The files have no quotes.' : 'The escape is the quote itself.',
      'Leave this out: a doubled quote needs no escape.',
    );
  }
  if (read?.escape !== undefined && read.escape > '\u007f') {
    report.at('read', 'escape')(
      `'${read.escape}' is not an ASCII character.`,
      "Write one, such as '\\'.",
    );
  }
  for (const key of ['skip_below_header', 'repeated_headers'] as const) {
    if (read?.header !== false || read[key] === undefined) continue;
    report.at('read', key)(
      'The files have no header.',
      'Leave this out, or leave header: false out.',
    );
  }
  const fileName = readNameColumn('file_name', read, report);
  const sheetName = readNameColumn('sheet_name', read, report);
  if (sheetName !== undefined && read?.sheet !== undefined) {
    report.at('read', 'sheet')(
      'The sheets are those that sheet_name matches.',
      'Leave out sheet, or sheet_name.',
    );
  }
  if (fileName !== undefined && fileName.column === sheetName?.column) {
    report.at('read', 'file_name')(
      `sheet_name makes the column '${fileName.column}' too.`,
      'Give each column a different name.',
    );
  }
  return {
    encoding: read?.encoding,
    delimiter,
    isSpaced: written === SPACES || written === WIDE_SPACES,
    ...(written === WIDE_SPACES ? { spacesMin: 2 } : {}),
    quote,
    escape: read?.escape,
    hasHeader: read?.header ?? PLAIN_READING.hasHeader,
    skipLines: read?.skip_lines ?? PLAIN_READING.skipLines,
    skipBelowHeader: read?.skip_below_header ?? PLAIN_READING.skipBelowHeader,
    repeatedHeaders: read?.repeated_headers ?? PLAIN_READING.repeatedHeaders,
    footer: read?.footer ?? PLAIN_READING.footer,
    nulls: read?.nulls ?? PLAIN_READING.nulls,
    member: read?.member,
    sheet: read?.sheet,
    sheetName,
    fileName,
    coordinates: readCoordinates(read?.coordinates, report),
  };
}

function readNameColumn(
  key: 'file_name' | 'sheet_name',
  read: DatasetDocument['read'],
  report: Report,
): NameColumn | undefined {
  const [entry] = Object.entries(read?.[key] ?? {});
  if (entry === undefined) return undefined;
  const [column, pattern] = entry;
  if (!hasPlaceholder(pattern)) {
    report.at(
      'read',
      key,
      column,
    )(
      `'${pattern}' has no placeholder, so it says nothing about the names.`,
      'Write # for each digit, or * for any characters, such as ####.',
    );
  }
  return { column, pattern };
}

function readCoordinates(written: string | undefined, report: Report): string | undefined {
  if (written === undefined || written === 'degrees' || /^\s*(PROJCS|GEOGCS)\s*\[/i.test(written)) {
    return written;
  }
  report.at('read', 'coordinates')(
    `'${written}' is not a coordinate system.`,
    'Write degrees for longitudes and latitudes, or the text that the .prj would have: PROJCS[…].',
  );
  return undefined;
}

function nameOf(file: string): string {
  return isAddress(file) ? shownAddress(file) : file;
}

/** The format of a file by its name; undefined if the name does not show it. */
export function formatOfName(file: string): FileFormat | undefined {
  const suffix =
    basename(isAddress(file) ? addressPath(file) : file)
      .toLowerCase()
      .replace(/\.(gz|zip)$/, '')
      .split('.')
      .at(-1) ?? '';
  return FILE_FORMAT_NAMES.find((name) => FILE_FORMATS[name].suffixes.includes(suffix));
}
