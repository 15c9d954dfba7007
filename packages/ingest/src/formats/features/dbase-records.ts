import { shownValue } from '../../problems/import-error.ts';
import { brokenShapefile, UnreadableEncoding } from '../unreadable-text.ts';
import { numberJson } from './feature-lines.ts';
import { openByteReader } from './shape-records.ts';

/** The table of a .dbf: its columns, and the JSON of their values in each row; undefined for a deleted row. */
export type DbaseTable = {
  readonly columns: readonly string[];
  /** Those that are not read, such as notes in another file. */
  readonly leftOut: readonly string[];
  readonly rows: AsyncGenerator<readonly string[] | undefined>;
  readonly close: () => Promise<void>;
};

/** Opens a .dbf of a shapefile. Its texts are in the given encoding; undefined: only ASCII is known. */
export async function openDbase(
  chunks: AsyncGenerator<Buffer>,
  declaredEncoding: string | undefined,
): Promise<DbaseTable> {
  const reader = openByteReader(chunks);
  const header = await reader.take(32);
  if (header.length < 32) throw brokenShapefile('its .dbf has no valid header');
  const headerBytes = header.readUInt16LE(8);
  const rowBytes = header.readUInt16LE(10);
  const rowCount = header.readUInt32LE(4);
  const encoding = declaredEncoding ?? ENCODING_BY_MARK[header[29] ?? 0];
  const described = await reader.take(Math.max(0, headerBytes - 32));
  const decode = openDecoder(encoding);
  const columns = readColumns(described, decode);
  const end = columns.at(-1);
  if (rowBytes < 1 || (end !== undefined && end.offset + end.length > rowBytes)) {
    throw brokenShapefile('its .dbf has columns that extend beyond the end of a row');
  }
  const read = columns.filter(({ type }) => 'CNFDLIBO'.includes(type));
  async function* rows(): AsyncGenerator<readonly string[] | undefined> {
    for (let feature = 1; feature <= rowCount; feature += 1) {
      const row = await reader.take(rowBytes);
      if (row.length < rowBytes)
        throw brokenShapefile('its .dbf ends in the middle of a row', feature);
      yield row[0] === DELETED
        ? undefined
        : read.map((column) =>
            valueJson(row, column, (bytes) => decode(bytes, feature, column.name)),
          );
    }
  }
  return {
    columns: read.map(({ name }) => name),
    leftOut: columns.filter((column) => !read.includes(column)).map(({ name }) => name),
    rows: rows(),
    close: reader.close,
  };
}

const DELETED = 0x2a;

type Column = {
  readonly name: string;
  readonly type: string;
  readonly offset: number;
  readonly length: number;
};

type Decode = (bytes: Buffer, feature?: number, field?: string) => string;

function readColumns(described: Buffer, decode: Decode): readonly Column[] {
  const columns: Column[] = [];
  let offset = 1;
  for (let at = 0; at + 32 <= described.length && described[at] !== 0x0d; at += 32) {
    const [name = Buffer.alloc(0)] = splitAtZero(described.subarray(at, at + 11));
    const type = String.fromCharCode(described[at + 11] ?? 0);
    // Long texts have the high byte of their length where numbers have their decimals.
    const length = type === 'C' ? described.readUInt16LE(at + 16) : (described[at + 16] ?? 0);
    const text = decode(name).trim();
    const isRepeated = columns.some((column) => column.name === text);
    columns.push({
      name: isRepeated ? `column ${columns.length + 1}` : text,
      type,
      offset,
      length,
    });
    offset += length;
  }
  return columns;
}

function splitAtZero(bytes: Buffer): readonly Buffer[] {
  const end = bytes.indexOf(0);
  return [end < 0 ? bytes : bytes.subarray(0, end)];
}

function valueJson(row: Buffer, { type, offset, length }: Column, decode: Decode): string {
  const bytes = row.subarray(offset, offset + length);
  if (type === 'I') return bytes.length === 4 ? String(bytes.readInt32LE(0)) : 'null';
  if (type === 'B' || type === 'O') {
    return bytes.length === 8 ? JSON.stringify(bytes.readDoubleLE(0)) : 'null';
  }
  if (type === 'C') {
    const text = decode(withoutEnd(bytes));
    return text === '' ? 'null' : JSON.stringify(text);
  }
  const text = bytes.toString('latin1').replaceAll('\0', ' ').trim();
  switch (type) {
    case 'D':
      if (/^0*$/.test(text)) return 'null';
      return JSON.stringify(text.replace(/^([0-9]{4})([0-9]{2})([0-9]{2})$/, '$1-$2-$3'));
    case 'L':
      if (/^[YyTt]$/.test(text)) return 'true';
      return /^[NnFf]$/.test(text) ? 'false' : 'null';
    default:
      // A number that did not fit is written as stars.
      return /^\**$/.test(text) ? 'null' : (numberJson(text) ?? JSON.stringify(text));
  }
}

function withoutEnd(bytes: Buffer): Buffer {
  const [text = bytes] = splitAtZero(bytes);
  let end = text.length;
  while (end > 0 && text[end - 1] === 0x20) end -= 1;
  return text.subarray(0, end);
}

function openDecoder(encoding: string | undefined): Decode {
  // U+FEFF at the start of a value is a character of it: only a file begins with a byte order mark.
  const decoder =
    encoding === undefined
      ? undefined
      : new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return (bytes, feature, field) => {
    if (bytes.every((byte) => byte < 0x80)) return bytes.toString('latin1');
    if (decoder === undefined) throw unknownEncoding(bytes, feature, field);
    // Writers cut a text at the length of its column, also within a character of UTF-8.
    const cuts = encoding === 'utf-8' ? [0, 1, 2, 3] : [0];
    for (const cut of cuts) {
      try {
        return decoder.decode(bytes.subarray(0, bytes.length - cut));
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    }
    throw wrongEncoding(bytes, encoding ?? '', feature, field);
  };
}

function unknownEncoding(bytes: Buffer, feature?: number, field?: string): UnreadableEncoding {
  return new UnreadableEncoding({
    feature,
    value: new TextDecoder('windows-1252').decode(bytes),
    reason: `${field === undefined ? 'is in the header' : `is in the column ${shownValue(field)}`}, and there is no .cpg with the encoding of the texts`,
    hint: 'Declare it: read: { encoding: windows-1252 } if the value is right as it is shown here, or else read: { encoding: utf-8 }.',
  });
}

function wrongEncoding(
  bytes: Buffer,
  encoding: string,
  feature?: number,
  field?: string,
): UnreadableEncoding {
  return new UnreadableEncoding({
    feature,
    value: new TextDecoder('windows-1252').decode(bytes),
    reason: `is in the column ${shownValue(field ?? '')}, but is not text in ${encoding}`,
    hint: 'Declare another encoding: read: { encoding: windows-1252 } if the value is right as it is shown here.',
  });
}

/** The byte for the encoding in the header, where it names one that all software agrees on. */
const ENCODING_BY_MARK: Readonly<Record<number, string>> = {
  3: 'windows-1252',
  87: 'windows-1252',
};

/** The encoding in a .cpg, in its many spellings; undefined if it is not known. */
export function encodingOfCpg(text: string): string | undefined {
  const name = text.replaceAll('\0', '').trim().toLowerCase();
  const number = /^(?:ansi|cp|windows|oem|ibm)?[-_ ]*([0-9]+)$/.exec(name)?.[1];
  const latin = /^(?:iso)?[-_ ]*8859[-_ ]*([0-9]{1,2})$/.exec(name)?.[1];
  const label =
    number === '65001' || /^utf[-_ ]*8$/.test(name)
      ? 'utf-8'
      : latin !== undefined
        ? `iso-8859-${latin}`
        : number !== undefined && /^125[0-8]$/.test(number)
          ? `windows-${number}`
          : name;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
