import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { AddressProblem } from '../../addresses/address-problem.ts';
import type { AddressEnvironment } from '../../addresses/address-request.ts';
import { type FetchedFile, fetchAddress } from '../../addresses/fetch-address.ts';
import { decodeText } from '../../formats/decode-text.ts';
import { isJsonSequence } from '../../formats/json-sequence.ts';
import { leaveOutFooter, leaveOutLines } from '../../formats/leave-out-lines.ts';
import type { ScanLimits } from '../../formats/scan-source-file.ts';
import { readSheetRows } from '../../formats/sheets/sheet-rows.ts';
import { listSheets, openSheet } from '../../formats/sheets/workbook.ts';
import { inspectSourceFile, readBytes, type SourceFile } from '../../formats/source-file.ts';
import { UnreadableText } from '../../formats/unreadable-text.ts';
import { openZipArchive, type ReadLimits } from '../../formats/zip-archive.ts';
import { openZipMember } from '../../formats/zip-member.ts';
import { FILE_FORMATS, type FileFormat, isTable } from '../../manifest/file-formats.ts';
import { type FileReading, PLAIN_READING } from '../../manifest/manifest.ts';
import { formatOfName } from '../../manifest/read-source.ts';
import { findAddressProblem, isAddress, shownAddress } from '../../manifest/source-address.ts';
import { PublishError } from '../../problems/publish-error.ts';
import { type Block, findBlocks } from './find-blocks.ts';
import { declareFooter, findFooter } from './find-footer.ts';
import {
  type Cells,
  countFilled,
  findHeader,
  joinNames,
  labelsOf,
  unitsOf,
} from './find-header.ts';
import { findJsonRows } from './find-json-rows.ts';
import { findTable } from './find-table.ts';
import { inspectFeatures } from './inspect-features.ts';
import { sampleText } from './sample-text.ts';
import { findEscape, textRecords, withoutEscapes } from './text-records.ts';

/** How a file has to be read, as it seems. */
export type InspectedFile = {
  /** The path or the address that was given. */
  readonly named: string;
  readonly file: SourceFile;
  readonly format: FileFormat;
  /** Whether the name shows the format. */
  readonly isNamed: boolean;
  readonly reading: FileReading;
  /** The encoding of a text, declared or not. */
  readonly encoding: string | undefined;
  /** The first line of a table, as it is. */
  readonly header: string;
  /** The lines above the table. */
  readonly titles?: readonly string[];
  /** The names of the sheets of a workbook. */
  readonly sheets: readonly string[];
  /** The name of the sheet, if others of the workbook are tables too. */
  readonly ownSheet?: string | undefined;
  /** The units of the columns, from a row below the header. */
  readonly units: readonly string[];
  /** The descriptions of the columns, from a row below a header of codes. */
  readonly labels?: readonly string[];
  /** The names of columns from two rows of the header, if it has two. */
  readonly names?: readonly string[];
  /** The names of all columns, also those that are repeated. */
  readonly headerNames?: readonly string[];
  /** Tables side by side; empty if there is only one. */
  readonly blocks: readonly Block[];
  /** The one of them that is meant. */
  readonly block?: Block | undefined;
  /** Things that the owner has to decide, by the key of `read` that they are about. */
  readonly doubts: ReadonlyMap<string, readonly string[]>;
  /** Of a workbook, the columns with texts such as 1.076, which are no numbers for it. */
  readonly pointTexts?: ReadonlySet<number>;
  /** Of a workbook, the digits that the numbers of a column are shown with, by its index. */
  readonly shownDigits?: ReadonlyMap<number, number>;
  /** Why the points of features cannot be read. */
  readonly pointProblem?: string | undefined;
};

export type InspectOptions = {
  readonly limits: ScanLimits;
  /** The folder for copies. */
  readonly folder: string;
  /** With the credentials of S3. */
  readonly environment: AddressEnvironment;
  readonly onRead: SourceFile['onRead'];
  /** The only sheet of workbooks that is wanted; undefined: all that are tables. */
  readonly sheet?: string | undefined;
  readonly signal: AbortSignal | undefined;
};

/** Inspects a file whose content nobody has described. Each of its tables is one: sheets, and tables side by side. */
export async function inspectFile(
  named: string,
  options: InspectOptions,
): Promise<readonly InspectedFile[]> {
  try {
    return (await inspect(named, options)).flatMap(tablesOf);
  } catch (error) {
    if (error instanceof AddressProblem) {
      throw new PublishError(`${shownAddress(named)} ${error.reason}.`, error.hint);
    }
    if (!(error instanceof UnreadableText)) throw error;
    const { value, reason, hint } = error.problem;
    const shown = isAddress(named) ? shownAddress(named) : named;
    const text = value === undefined ? reason : `cannot be read: '${value}' ${reason}`;
    throw new PublishError(`${shown} ${text}.`, hint ?? 'Choose another file.');
  }
}

async function fetchFile(
  named: string,
  { folder, environment, limits, signal }: InspectOptions,
): Promise<FetchedFile | undefined> {
  if (!isAddress(named)) return undefined;
  const problem = findAddressProblem(named);
  if (problem !== undefined) throw new PublishError(problem.reason, problem.hint);
  return fetchAddress(named, { folder, environment, bytesMax: limits.unpackedBytesMax, signal });
}

async function inspect(name: string, options: InspectOptions): Promise<readonly InspectedFile[]> {
  const { limits, folder, sheet, signal } = options;
  const fetched = await fetchFile(name, options);
  const path = fetched?.path ?? name;
  const named = formatOfName(name) ?? ((await isSqlite(path)) ? 'geopackage' : undefined);
  const label = fetched?.address ?? basename(path);
  const inspected = await inspectSourceFile({
    path,
    label,
    remote: fetched,
    number: 0,
    manifestPlace: 'files',
    format: named ?? 'csv',
    stop: signal,
  });
  if ('problem' in inspected) {
    const { reason, hint } = inspected.problem;
    throw new PublishError(
      `${fetched?.address ?? path} ${reason}.`,
      named === 'shapefile' && hint !== undefined
        ? hint
        : 'Choose CSV, TSV, xlsx, Parquet, JSON or GeoJSON files, a GeoPackage, or a zip archive with a shapefile.',
    );
  }
  const file = { ...inspected.file, onRead: options.onRead };
  const members = file.isZip && named !== 'xlsx' ? await listMembers(path, limits) : [];
  const member = members[0];
  const shown = named ?? (member === undefined ? undefined : formatOfName(member));
  const format = shown ?? (await formatOfContent(file, member, limits));
  const doubts = new Map<string, readonly string[]>();
  if (members.length > 1) {
    doubts.set('member', [`The archive also has ${shownList(members.slice(1))}.`]);
  }
  const isNamed = formatOfName(name) !== undefined;
  const common = { named: name, file, format, isNamed };
  const reading = members.length > 1 ? { ...PLAIN_READING, member } : PLAIN_READING;
  switch (format) {
    case 'shapefile':
    case 'geopackage':
      return [
        {
          ...common,
          ...contentOfFeatures(await inspectFeatures(file, { format, limits, folder })),
        },
      ];
    case 'xlsx': {
      const watched = { ...limits, onRead: options.onRead };
      const contents = await inspectWorkbook(path, { limits: watched, wanted: sheet, shown: name });
      return contents.map((content) => ({ ...common, ...content }));
    }
    case 'parquet':
      return [
        {
          ...common,
          reading,
          encoding: undefined,
          header: '',
          sheets: [],
          units: [],
          blocks: [],
          doubts,
        },
      ];
    case 'csv':
    case 'tsv':
    case 'ndjson':
    case 'geojson':
      return [
        {
          ...common,
          ...(await inspectText(file, { path, member, format, reading, doubts, limits })),
        },
      ];
  }
}

async function inspectText(
  file: SourceFile,
  {
    path,
    member,
    format,
    reading,
    doubts,
    limits,
  }: {
    readonly path: string;
    readonly member: string | undefined;
    readonly format: FileFormat;
    readonly reading: FileReading;
    readonly doubts: Map<string, readonly string[]>;
    readonly limits: ScanLimits;
  },
): Promise<InspectedContent> {
  const text = await withBytes(file, member, limits, sampleText);
  const rows = isTable(format)
    ? undefined
    : findJsonRows(text.start, text.isWhole, unpackedName(path));
  if (text.head.every((line) => line.trim() === '')) {
    throw new UnreadableText({ reason: 'has no rows', hint: 'Choose a file with rows.' });
  }
  if (text.doubt !== undefined) doubts.set('encoding', [text.doubt]);
  // Of a file in an archive, the member is that file.
  const inside = rows === undefined || file.isZip ? {} : { member: rows };
  const decoded = { ...reading, ...inside, encoding: text.declared };
  const seen = { encoding: text.encoding, sheets: [], units: [], blocks: [], doubts };
  if (!isTable(format)) return { ...seen, header: '', reading: decoded };
  const usual = FILE_FORMATS[format].delimiter ?? ',';
  const escaped = findEscape(text.head);
  const plain = (line: string) => (escaped === undefined ? line : withoutEscapes(line));
  const records = textRecords(text.head.map(plain), '"');
  const lines = findTable(
    records.map((record) => record.text),
    text.tail.map(plain),
    usual,
  );
  const isUsual = lines.delimiter === usual;
  if (lines.doubts.length > 0) doubts.set('header', lines.doubts);
  const skipLines = records[lines.skipLines]?.line ?? lines.skipLines;
  const footer = await declareFooter(lines.footer, {
    delimiter: lines.isSpaced ? ' ' : lines.delimiter,
    leftOut: (start) =>
      withBytes(file, member, limits, async (chunks) => {
        const { encoding } = text;
        const all = encoding === 'utf-8' ? chunks : decodeText(chunks, encoding);
        const below = leaveOutFooter(leaveOutLines(all, skipLines).rest, start);
        for await (const _ of below.rest);
        return below.leftOut()?.lines;
      }),
  });
  if (footer !== 0) doubts.set('footer', [footerDoubt(lines.footer)]);
  if (escaped !== undefined) {
    doubts.set('escape', [
      `A backslash before a quote is read as the quote alone, because of: ${escaped.slice(0, 80)}`,
    ]);
  }
  doubtBelow(doubts, lines.below);
  doubtNames(doubts, lines.names);
  return {
    ...seen,
    units: unitsOf(lines.below),
    labels: labelsOf(lines.below, lines.headerNames),
    names: lines.names,
    headerNames: lines.headerNames,
    blocks: lines.blocks,
    header: records[lines.skipLines]?.text ?? '',
    titles: records.slice(0, lines.skipLines).map((record) => record.text),
    reading: {
      ...decoded,
      delimiter: isUsual && !lines.isSpaced ? undefined : lines.delimiter,
      isSpaced: lines.isSpaced,
      ...(lines.spacesMin === undefined ? {} : { spacesMin: lines.spacesMin }),
      quote: lines.quote,
      escape: escaped === undefined || lines.quote !== '"' ? undefined : '\\',
      hasHeader: lines.hasHeader,
      skipLines,
      skipBelowHeader: lines.below.length,
      footer,
    },
  };
}

/** Tells which rows between the header and the values are no records. */
function doubtBelow(doubts: Map<string, readonly string[]>, below: readonly Cells[]): void {
  if (below.length === 0) return;
  const shown = below.map((row) =>
    row
      .filter((cell) => cell !== '')
      .join(', ')
      .slice(0, 60),
  );
  doubts.set('skip_below_header', [`Left out, because it is no record: ${shown.join(' / ')}`]);
}

function doubtNames(doubts: Map<string, readonly string[]>, names: readonly string[]): void {
  if (names.length === 0) return;
  doubts.set('skip_lines', [
    `The header has several rows, so the names of the fields are made of them: ${names
      .filter((name) => name !== '')
      .join(', ')
      .slice(0, 200)}`,
  ]);
}

function footerDoubt(lines: readonly string[]): string {
  const filled = lines.filter((line) => /[\p{L}\p{N}]/u.test(line));
  const [first = lines[0] ?? '', ...more] = filled;
  const rest = more.length === 0 ? '' : ` … (${filled.length} lines)`;
  return `Left out below the rows: ${first.slice(0, 60)}${rest}`;
}

async function listMembers(path: string, limits: ScanLimits): Promise<readonly string[]> {
  const archive = await openZipArchive(path, limits);
  archive.close();
  const names = archive.entries
    .filter(({ fileName }) => !/(^|\/)\./.test(fileName))
    .toSorted((left, right) => right.uncompressedSize - left.uncompressedSize)
    .map(({ fileName }) => fileName);
  // The largest table; descriptions are often beside it.
  const tables = names.filter((name) => formatOfName(name) !== undefined);
  const all = [...tables, ...names.filter((name) => !tables.includes(name))];
  // Of a timetable (GTFS), the places are the stops, and not the largest table.
  const isTimetable = names.some((name) => /(^|\/)(routes|trips)\.txt$/.test(name));
  const stops = isTimetable ? all.filter((name) => /(^|\/)stops\.txt$/.test(name)) : [];
  return [...stops, ...all.filter((name) => !stops.includes(name))];
}

async function withBytes<Result>(
  file: SourceFile,
  member: string | undefined,
  limits: ScanLimits,
  work: (chunks: AsyncIterable<Buffer>) => Promise<Result>,
): Promise<Result> {
  if (!file.isZip) return work(readBytes(file));
  const opened = await openZipMember(file.path, member, { ...limits, onRead: file.onRead });
  try {
    return await work(opened.bytes());
  } finally {
    opened.close();
  }
}

/** The format of a text whose name does not show it. */
async function formatOfContent(
  file: SourceFile,
  member: string | undefined,
  limits: ScanLimits,
): Promise<FileFormat> {
  const { start, isWhole } = await withBytes(file, member, limits, sampleText);
  const isSequence = isJsonSequence(start);
  const text = isSequence ? start.slice(start.indexOf('{')) : start.trimStart();
  const isJson = /\.json(\.gz)?$/i.test(member ?? file.path) || text.startsWith('{');
  if (isJson) findJsonRows(start, isWhole, unpackedName(member ?? file.path));
  if (/^\[\s*\{/.test(text)) return 'ndjson';
  if (!text.startsWith('{')) return 'csv';
  return /"type"\s*:\s*"Feature/.test(text) ? 'geojson' : 'ndjson';
}

function unpackedName(path: string): string {
  return basename(path).replace(/\.gz$/i, '');
}

type InspectedContent = Omit<InspectedFile, 'named' | 'file' | 'format' | 'isNamed'>;

function contentOfFeatures({
  reading,
  others,
  encodingDoubt,
  pointProblem,
}: Awaited<ReturnType<typeof inspectFeatures>>): InspectedContent {
  const doubts = new Map<string, readonly string[]>();
  if (others.length > 0) doubts.set('member', [`The file also has ${shownList(others)}.`]);
  if (reading.coordinates !== undefined) {
    doubts.set('coordinates', [
      'There is no .prj, and all positions could be degrees. Check that they are longitudes and latitudes.',
    ]);
  }
  if (encodingDoubt !== undefined) doubts.set('encoding', [encodingDoubt]);
  return {
    reading,
    encoding: reading.encoding,
    header: '',
    sheets: [],
    units: [],
    blocks: [],
    doubts,
    pointProblem,
  };
}

/** A database whose name shows nothing is a GeoPackage, if it can be read at all. */
async function isSqlite(path: string): Promise<boolean> {
  const handle = await open(path).catch(() => undefined);
  try {
    const start = await handle?.read(Buffer.alloc(15), 0, 15, 0).catch(() => undefined);
    return start?.buffer.toString('latin1') === 'SQLite format 3';
  } finally {
    await handle?.close();
  }
}

/** The sheets that are tables, or else the first one with several columns: a sheet of explanations is often the first. */
async function inspectWorkbook(
  path: string,
  {
    limits,
    wanted,
    shown,
  }: {
    readonly limits: ScanLimits & ReadLimits;
    readonly wanted: string | undefined;
    /** The file as it was given. */
    readonly shown: string;
  },
): Promise<readonly InspectedContent[]> {
  const sheets = await listSheets(path, limits);
  if (wanted !== undefined && !sheets.includes(wanted)) {
    throw new PublishError(
      `${isAddress(shown) ? shownAddress(shown) : shown} has no sheet '${wanted}'.`,
      `Its sheets: ${sheets.map((name) => `'${name}'`).join(', ')}.`,
    );
  }
  const inspected: { readonly sheet: string; readonly seen: InspectedSheet }[] = [];
  for (const sheet of wanted === undefined ? sheets.slice(0, SHEETS_MAX) : [wanted]) {
    inspected.push({ sheet, seen: await inspectSheet(path, sheet, limits) });
  }
  const tables = inspected.filter(
    ({ seen }) => seen.width >= 2 && (seen.hasNumbers || seen.isList),
  );
  const first = inspected.find(({ seen }) => seen.width >= 2) ?? inspected[0];
  const chosen = tables.length > 0 ? tables : inspected.filter((one) => one === first);
  const others = sheets.filter((name) => chosen.every(({ sheet }) => sheet !== name));
  const contents: InspectedContent[] = [];
  for (const one of chosen) {
    const doubts = new Map<string, readonly string[]>();
    if (others.length > 0 && contents.length === 0 && wanted === undefined) {
      doubts.set('sheet', [`The workbook also has ${shownList(others)}.`]);
    }
    const content = await describeSheet(path, one, { limits, doubts });
    contents.push({
      ...content,
      sheets,
      ownSheet: chosen.length > 1 ? one.sheet : undefined,
      reading: { ...content.reading, sheet: sheets.length > 1 ? one.sheet : undefined },
    });
  }
  return contents;
}

async function describeSheet(
  path: string,
  chosen: { readonly sheet: string; readonly seen: InspectedSheet },
  {
    limits,
    doubts,
  }: { readonly limits: ScanLimits; readonly doubts: Map<string, readonly string[]> },
): Promise<InspectedContent> {
  const { seen } = chosen;
  const footer = await declareFooter(seen.footer, {
    delimiter: '',
    leftOut: (start) => countBelow(path, chosen, start, limits),
  });
  if (footer !== 0) doubts.set('footer', [footerDoubt(seen.footer)]);
  doubtBelow(doubts, seen.below);
  doubtNames(doubts, seen.names);
  return {
    reading: {
      ...PLAIN_READING,
      skipLines: seen.skipLines,
      skipBelowHeader: seen.below.length,
      footer,
    },
    encoding: undefined,
    header: '',
    titles: seen.titles,
    sheets: [],
    units: unitsOf(seen.below),
    labels: labelsOf(seen.below, seen.headerNames),
    names: seen.names,
    headerNames: seen.headerNames,
    blocks: seen.blocks,
    doubts,
    pointTexts: seen.pointTexts,
    shownDigits: seen.shownDigits,
  };
}

const SHEETS_MAX = 20;

type InspectedSheet = {
  readonly width: number;
  /** Whether most rows below the header have a number or a date. */
  readonly hasNumbers: boolean;
  /** Whether each row has texts in the same columns, as a list of places without numbers has. */
  readonly isList: boolean;
  readonly skipLines: number;
  /** The rows above the header. */
  readonly titles: readonly string[];
  readonly below: readonly Cells[];
  readonly names: Cells;
  readonly headerNames: Cells;
  readonly blocks: readonly Block[];
  /** The first texts of the rows below the table. */
  readonly footer: readonly string[];
  readonly pointTexts: ReadonlySet<number>;
  readonly shownDigits: ReadonlyMap<number, number>;
};

async function inspectSheet(
  path: string,
  name: string,
  limits: ReadLimits,
): Promise<InspectedSheet> {
  const sheet = await openSheet(path, name, limits);
  try {
    const top: { readonly number: number; readonly cells: readonly string[] }[] = [];
    const last: { readonly number: number; readonly cells: readonly string[] }[] = [];
    const pointTexts = new Set<number>();
    const shownDigits = new Map<number, number>();
    for await (const { number, cells: texts, types, digits } of readSheetRows(sheet)) {
      for (const [index, count] of digits.entries()) {
        if (count !== undefined)
          shownDigits.set(index, Math.max(count, shownDigits.get(index) ?? 0));
      }
      for (const [index, cell] of texts.entries()) {
        if (types[index] !== 'n' && POINT_TEXT.test(cell)) pointTexts.add(index);
      }
      const cells = texts.map((cell) => cell.trim());
      if (countFilled(cells) === 0) continue;
      if (top.length < TOP_ROWS) top.push({ number, cells });
      last.push({ number, cells });
      if (last.length > LAST_ROWS) last.shift();
    }
    const width = Math.max(0, ...top.map(({ cells }) => countFilled(cells)));
    const found = findHeader(
      top.map(({ cells }) => cells),
      Math.min(width, 2),
    );
    const { start, below, shape } = found;
    // Blank rows are not among those of a sheet: what is above one is a title.
    const isNext = top[start - 1]?.number === (top[start]?.number ?? 0) - 1;
    const above = isNext ? found.above : [];
    const footer = findFooter(
      last.flatMap(({ number, cells }, index) => {
        const row = { cells, text: cells.find((cell) => cell !== '') ?? '' };
        // Blank rows are not among those of a sheet.
        const isAfterBlank = index > 0 && last[index - 1]?.number !== number - 1;
        return isAfterBlank ? [{ cells: [], text: '' }, row] : [row];
      }),
      { width, shape },
    );
    const rows = top.slice(start + 1 + below.length).map(({ cells }) => cells);
    const withNumbers = rows.filter((cells) => cells.some((cell) => NUMBER_TEXT.test(cell)));
    return {
      width,
      hasNumbers: rows.length > 0 && withNumbers.length * 2 >= rows.length,
      isList: isList(top[start]?.cells ?? [], rows),
      skipLines: (top[start]?.number ?? 1) - 1,
      titles: top.slice(0, start).map(({ cells }) => cells.filter((cell) => cell !== '').join(' ')),
      below,
      names: joinNames(above, top[start]?.cells ?? []),
      headerNames: top[start]?.cells ?? [],
      blocks: findBlocks(top[start]?.cells ?? [], rows),
      footer: footer.flatMap(({ text }) => (text === '' ? [] : [text])),
      pointTexts,
      shownDigits,
    };
  } finally {
    sheet.close();
  }
}

/** How many rows of a sheet are left out by a footer that begins so. */
async function countBelow(
  path: string,
  { sheet: name, seen }: { readonly sheet: string; readonly seen: InspectedSheet },
  start: string,
  limits: ScanLimits,
): Promise<number | undefined> {
  const sheet = await openSheet(path, name, limits);
  try {
    let count = 0;
    for await (const { number, cells } of readSheetRows(sheet)) {
      const text = cells.find((cell) => cell !== '') ?? '';
      if (number <= seen.skipLines || text === '') continue;
      if (count > 0 || text.startsWith(start)) count += 1;
    }
    return count;
  } finally {
    sheet.close();
  }
}

/** Names above at least two full rows of short texts. The explanations of columns are none. */
function isList(header: Cells, rows: readonly Cells[]): boolean {
  const areNames =
    new Set(header).size === header.length &&
    header.every((cell) => cell !== '' && cell.length <= NAME_LENGTH_MAX && !PROSE.test(cell));
  const areShort = rows.every(
    (cells) =>
      countFilled(cells) * 2 > header.length &&
      (cells[0] ?? '') !== '' &&
      cells.every((cell) => cell.length <= TEXT_LENGTH_MAX),
  );
  const ids = new Set(rows.map((cells) => cells[0]));
  return header.length >= 2 && areNames && rows.length >= 2 && areShort && ids.size === rows.length;
}

const NAME_LENGTH_MAX = 40;
const TEXT_LENGTH_MAX = 80;
const PROSE =
  /descr|definition|meaning|explan|remark|comment|notes?$|beschreib|bedeutung|erl[aä]uter|signification|significado/i;
const POINT_TEXT = /^\s*[+-]?\d+\.\d+\s*$/;
const NUMBER_TEXT = /^[^\p{L}]*\d[^\p{L}]*$/u;
const TOP_ROWS = 100;
const LAST_ROWS = 50;

function shownList(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `'${name}'`);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}

/** Each of the tables side by side; the whole if there is only one. */
function tablesOf(seen: InspectedFile): readonly InspectedFile[] {
  if (seen.blocks.length < 2) return [seen];
  return seen.blocks.map((block) => ({
    ...seen,
    block,
    units: seen.units.slice(block.first - 1, block.last),
    labels: [],
  }));
}
