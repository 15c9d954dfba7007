import { mkdir, open, stat, truncate } from 'node:fs/promises';
import { type FileFormat, isTable } from '../manifest/file-formats.ts';
import type { DatasetSource, FileReading } from '../manifest/manifest.ts';
import type { Encoding } from '../manifest/read-schema.ts';
import { type FoundProblems, fileProblem } from '../problems/found-problems.ts';
import { shownValue } from '../problems/import-error.ts';
import { decodeText, markedEncoding } from './decode-text.ts';
import { divideBySpaces } from './divide-by-spaces.ts';
import { openFeatures } from './features/open-features.ts';
import { dropMark, keepFirstMark, MARK_BYTES } from './first-mark.ts';
import { joinHeader, startsOpenName } from './join-header.ts';
import { jsonArrayLines, startsJsonArray } from './json-array.ts';
import { jsonMemberText } from './json-member.ts';
import { jsonSequenceLines, startsJsonSequence } from './json-sequence.ts';
import { type LeftOutHeaders, leaveOutHeaders } from './leave-out-headers.ts';
import { leaveOutFooter, leaveOutLines } from './leave-out-lines.ts';
import { type ScanLimits, tooLargeFound } from './scan-source-file.ts';
import { readSheetRows } from './sheets/sheet-rows.ts';
import { sheetText } from './sheets/sheet-text.ts';
import { openSheet } from './sheets/workbook.ts';
import { describeOriginal, writeText } from './source-copy.ts';
import { readBytes, type SourceFile } from './source-file.ts';
import { unescapeQuotes } from './unescape-quotes.ts';
import { UnreadableText } from './unreadable-text.ts';
import { openZipMember } from './zip-member.ts';

/**
 * Copies a file as the engine and the other readers expect it: UTF-8, without the lines above the header and below
 * the rows, not in an archive, and objects of JSON on a line each. A clean file is not copied. The copy is made in bounded memory.
 */
export async function copyAsText(
  file: SourceFile,
  options: {
    readonly source: DatasetSource;
    readonly limits: ScanLimits;
    /** The folder of the copies, created when it is needed. */
    readonly folder: string;
    /** Whether outlines are read, also if no field has them. */
    readonly needsOutline?: boolean;
  },
): Promise<{ readonly file: SourceFile } | { readonly found: FoundProblems }> {
  try {
    return await COPIES[options.source.format](file, options);
  } catch (error) {
    if (error instanceof PassedLimit)
      return { found: tooLargeFound(file, 'lines', options.limits) };
    if (!(error instanceof UnreadableText)) throw error;
    return { found: fileProblem(file, { ...error.problem }) };
  }
}

type CopyOptions = Parameters<typeof copyAsText>[1];

type Copy = (file: SourceFile, options: CopyOptions) => Promise<{ readonly file: SourceFile }>;

/** How a file of each format becomes one that its reader reads. */
const COPIES: Readonly<Record<FileFormat, Copy>> = {
  // Readers of CSV drop a byte order mark themselves; those of JSON fail at it.
  csv: (file, options) => copyText(file, { ...options, keepsMark: true }),
  tsv: copyText,
  xlsx: copySheet,
  parquet: async (file, options) =>
    file.isZip ? copyText(file, { ...options, isBinary: true }) : { file },
  ndjson: (file, options) => copyText(file, { ...options, hasArrays: true, isJson: true }),
  geojson: (file, options) => copyText(file, { ...options, isJson: true }),
  shapefile: (file, options) => copyFeatures(file, { ...options, format: 'shapefile' }),
  geopackage: (file, options) => copyFeatures(file, { ...options, format: 'geopackage' }),
};

async function copyText(
  file: SourceFile,
  {
    source: { reading, format },
    limits,
    folder,
    keepsMark = false,
    isBinary = false,
    hasArrays = false,
    isJson = false,
  }: CopyOptions & {
    readonly keepsMark?: boolean;
    /** Whether its bytes are copied as they are. */
    readonly isBinary?: boolean;
    /** Whether it can be an array of JSON, or have one within an object. */
    readonly hasArrays?: boolean;
    /** Whether it can be a JSON sequence. */
    readonly isJson?: boolean;
  },
): Promise<{ readonly file: SourceFile }> {
  const { onRead } = file;
  const member = file.isZip
    ? await openZipMember(file.path, reading.member, { ...limits, onRead })
    : undefined;
  try {
    // Without an archive, the member of JSON is an array within its object.
    const path = member === undefined && hasArrays ? reading.member?.split('.') : undefined;
    if (member === undefined && reading.member !== undefined && path === undefined) {
      throw new UnreadableText({
        reason: `is not a zip archive, so it does not contain ${reading.member}`,
        hint: 'Leave out read: { member }.',
      });
    }
    const open = member?.bytes ?? (() => readBytes(file));
    const { encoding, marked } = isBinary ? NOT_MARKED : await findEncoding(open(), reading);
    const dropsMark = marked === 'utf-8' && !keepsMark;
    const openText = () => {
      const chunks = limited(open(), { file, limits });
      if (encoding !== 'utf-8') return decodeText(chunks, encoding);
      return dropsMark ? dropMark(chunks) : chunks;
    };
    const isArray = hasArrays && (path !== undefined || (await startsJsonArray(openText())));
    const isSequence = isJson && path === undefined && (await startsJsonSequence(openText()));
    const isOpenHeader =
      isTable(format) &&
      reading.hasHeader &&
      reading.quote !== '' &&
      (await startsOpenName(leaveOutLines(openText(), reading.skipLines).rest, reading));
    const isClean =
      !isOpenHeader &&
      reading.escape === undefined &&
      reading.skipLines === 0 &&
      reading.footer === 0 &&
      !hasOtherHeaders(reading) &&
      encoding === 'utf-8' &&
      !isArray &&
      !isSequence &&
      !dropsMark &&
      !reading.isSpaced;
    if (member === undefined && isClean) return { file };
    const label = member === undefined ? file.label : `${file.label}/${member.name}`;
    const whole = path === undefined ? openText() : jsonMemberText(openText(), path);
    const text = isArray ? jsonArrayLines(whole) : isSequence ? jsonSequenceLines(whole) : whole;
    const hasMark = encoding === 'utf-8' && reading.skipLines === 0;
    const copied = await writeCopy(text, { reading, folder, hasMark, isOpenHeader });
    const linesAbove = reading.skipLines + copied.joinedLines;
    const notices = [
      ...leftOutNotices(label, copied.above, 'line', 'above the header'),
      ...headerNotices(label, copied.headers, (line) => `line ${line + linesAbove}`),
      ...leftOutNotices(label, copied.below, 'line', 'below the rows'),
    ];
    return {
      file: {
        ...file,
        label,
        path: copied.path,
        bytes: copied.bytes,
        modifiedMs: copied.modifiedMs,
        isGzip: false,
        isZip: false,
        firstLine: linesAbove + 1,
        firstByte:
          isOpenHeader ||
          reading.escape !== undefined ||
          reading.isSpaced ||
          hasOtherHeaders(reading)
            ? undefined
            : copied.skippedBytes + (dropsMark ? MARK_BYTES : 0),
        ...(isArray || isSequence ? { rowOfLine: (line: number) => line } : {}),
        original: await describeOriginal(file),
        notices,
      },
    };
  } finally {
    member?.close();
  }
}

/** A sheet becomes CSV, so that it is read by the same reader. */
async function copySheet(
  file: SourceFile,
  { source: { reading }, limits, folder }: CopyOptions,
): Promise<{ readonly file: SourceFile }> {
  const { onRead } = file;
  const sheet = await openSheet(file.path, reading.sheet, { ...limits, onRead });
  try {
    const rows = sheetText(readSheetRows(sheet), reading);
    const copied = await writeText(rows.text, folder);
    return {
      file: {
        ...file,
        ...copied,
        isZip: false,
        firstLine: reading.skipLines + 1,
        rowOfLine: rows.rowOfLine,
        original: await describeOriginal(file),
        notices: [
          ...file.notices,
          ...leftOutNotices(file.label, rows.above(), 'row', 'above the header'),
          ...headerNotices(file.label, rows.headers(), (row) => `row ${row}`, 'row'),
          ...leftOutNotices(file.label, rows.below(), 'row', 'below the table'),
        ],
      },
    };
  } finally {
    sheet.close();
  }
}

/** Features of other formats become lines of GeoJSON. */
async function copyFeatures(
  file: SourceFile,
  {
    format,
    source: { reading, fields, steps },
    limits,
    folder,
    needsOutline = false,
  }: CopyOptions & { readonly format: 'shapefile' | 'geopackage' },
): Promise<{ readonly file: SourceFile }> {
  await mkdir(folder, { recursive: true });
  const sources = JSON.stringify([...fields.values(), ...steps]);
  const needs = {
    point: /\$(longitude|latitude)/.test(sources),
    outline: needsOutline || /\$outline/.test(sources),
  };
  const features = await openFeatures(file, { format, reading, needs, limits, folder });
  try {
    const copied = await writeText(limited(features.text, { file, limits }), folder);
    return {
      file: {
        ...file,
        ...copied,
        isGzip: false,
        isZip: false,
        original: await describeOriginal(file),
        notices: features.notices().map((notice) => `${file.label}: ${notice}`),
      },
    };
  } finally {
    features.close();
  }
}

/** The declared encoding, or that of the byte order mark, or UTF-8. The file is checked for it later, as a whole. */
async function findEncoding(
  chunks: AsyncGenerator<Buffer>,
  { encoding: declared }: FileReading,
): Promise<{ readonly encoding: Encoding; readonly marked: Encoding | undefined }> {
  const { value: start = Buffer.alloc(0) } = await chunks.next();
  await chunks.return(undefined);
  const marked = markedEncoding(start);
  if (declared !== undefined && marked !== undefined && declared !== marked) {
    throw new UnreadableText({
      reason: `begins with the byte order mark of ${marked}, but is declared as ${declared}`,
      hint: `Declare read: { encoding: ${marked} }, or leave the encoding out.`,
    });
  }
  return { encoding: declared ?? marked ?? 'utf-8', marked };
}

const NOT_MARKED = { encoding: 'utf-8', marked: undefined } as const;

class PassedLimit extends Error {}

/** Ends as soon as a compressed file is larger than allowed. */
async function* limited(
  chunks: AsyncIterable<Buffer>,
  { file, limits }: { readonly file: SourceFile; readonly limits: ScanLimits },
): AsyncGenerator<Buffer> {
  const bytesMax = file.isGzip || file.isZip ? limits.unpackedBytesMax : Number.POSITIVE_INFINITY;
  let bytes = 0;
  for await (const chunk of chunks) {
    file.stop?.throwIfAborted();
    bytes += chunk.length;
    if (bytes > bytesMax) throw new PassedLimit();
    yield chunk;
  }
}

type Copied = {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly skippedBytes: number;
  /** The first of the lines that are left out. */
  readonly above: LeftOut | undefined;
  readonly below: LeftOut | undefined;
  readonly headers: LeftOutHeaders | undefined;
  /** The lines of the header that were joined with its first one. */
  readonly joinedLines: number;
};

type LeftOut = { readonly lines: number; readonly first: string };

async function writeCopy(
  text: AsyncIterable<Buffer>,
  {
    reading,
    folder,
    hasMark,
    isOpenHeader,
  }: {
    readonly reading: FileReading;
    readonly folder: string;
    /** Whether U+FEFF at the start is the byte order mark of the text. */
    readonly hasMark: boolean;
    /** Whether a name in the header has a line break. */
    readonly isOpenHeader: boolean;
  },
): Promise<Copied> {
  const above = leaveOutLines(text, reading.skipLines);
  const footerStart = typeof reading.footer === 'string' ? reading.footer : undefined;
  const below = leaveOutFooter(above.rest, footerStart);
  const plain =
    reading.escape === undefined
      ? below.rest
      : unescapeQuotes(below.rest, { ...reading, character: reading.escape });
  const joined = isOpenHeader ? joinHeader(plain, reading) : { rest: plain, joinedLines: () => 0 };
  const headers = hasOtherHeaders(reading) ? leaveOutHeaders(joined.rest, reading) : undefined;
  const kept = headers?.rest ?? joined.rest;
  const rest = reading.isSpaced ? divideBySpaces(kept, reading) : kept;
  const { path } = await writeText(hasMark ? rest : keepFirstMark(rest), folder);
  const lines =
    typeof reading.footer === 'number' ? await cutLines(path, reading.footer) : below.leftOut();
  if (lines === undefined && footerStart !== undefined) {
    throw new UnreadableText({
      reason: `has no line that begins with ${shownValue(footerStart)}`,
      hint: 'Correct read: { footer }, or leave it out.',
    });
  }
  const { size: bytes, mtimeMs: modifiedMs } = await stat(path);
  const skipped = above.leftOut();
  return {
    path,
    bytes,
    modifiedMs,
    skippedBytes: skipped.bytes,
    above: reading.skipLines === 0 ? undefined : skipped,
    below: lines,
    headers: headers?.leftOut(),
    joinedLines: joined.joinedLines(),
  };
}

/** Whether lines below the header are left out. */
function hasOtherHeaders({ skipBelowHeader, repeatedHeaders }: FileReading): boolean {
  return skipBelowHeader > 0 || repeatedHeaders;
}

/** Cuts lines off the end of a file. A line break at the very end belongs to the last line. */
async function cutLines(path: string, lines: number): Promise<LeftOut | undefined> {
  if (lines === 0) return undefined;
  const { size } = await stat(path);
  const handle = await open(path);
  const tail = Buffer.alloc(Math.min(size, FOOTER_BYTES_MAX));
  try {
    await handle.read(tail, 0, tail.length, size - tail.length);
  } finally {
    await handle.close();
  }
  let start = tail.length;
  for (let count = 0; count < lines; count += 1) {
    if (start === 0) {
      throw new UnreadableText({
        reason: `has fewer than the ${lines} lines of the declared footer`,
        hint: 'Correct read: { footer }.',
      });
    }
    start = lineStart(tail, start);
  }
  await truncate(path, size - tail.length + start);
  const [first = ''] = tail.toString('utf8', start, start + SHOWN_BYTES).split(/[\r\n]/);
  return { lines, first };
}

/** The start of the line that ends at an offset. */
function lineStart(text: Buffer, end: number): number {
  let start = end;
  // The line break at its end: LF, CRLF or CR.
  if (text[start - 1] === LINE_FEED) start -= 1;
  if (text[start - 1] === CARRIAGE_RETURN) start -= 1;
  while (start > 0 && text[start - 1] !== LINE_FEED && text[start - 1] !== CARRIAGE_RETURN) {
    start -= 1;
  }
  return start;
}

const FOOTER_BYTES_MAX = 2 ** 22;
const SHOWN_BYTES = 200;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Nothing is left out silently. */
function leftOutNotices(
  file: string,
  leftOut: LeftOut | undefined,
  what: 'line' | 'row',
  where: string,
): readonly string[] {
  if (leftOut === undefined || leftOut.lines === 0) return [];
  const { lines, first } = leftOut;
  return [
    lines === 1
      ? `${file}: 1 ${what} ${where} is left out: ${shownValue(first)}.`
      : `${file}: ${lines.toLocaleString('en-US')} ${what}s ${where} are left out, the first is ${shownValue(first)}.`,
  ];
}

function headerNotices(
  file: string,
  headers: LeftOutHeaders | undefined,
  placeOf: (line: number) => string,
  what: 'line' | 'row' = 'line',
): readonly string[] {
  if (headers === undefined) return [];
  const { below, repeated } = headers;
  const { lines, firstLine } = repeated;
  const repeats =
    lines === 1
      ? `1 ${what} repeats the header and is left out: ${placeOf(firstLine)}.`
      : `${lines.toLocaleString('en-US')} ${what}s repeat the header and are left out, the first is ${placeOf(firstLine)}.`;
  return [
    ...leftOutNotices(file, below, what, 'below the header'),
    ...(lines === 0 ? [] : [`${file}: ${repeats}`]),
  ];
}
