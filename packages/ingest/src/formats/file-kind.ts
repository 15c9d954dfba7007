import type { FileFormat } from '../manifest/file-formats.ts';

export type FileKind = { readonly name: string; readonly hint: string };

/** The kind of a file by its first bytes, if they show that it cannot have the declared format. */
export function nameFileKind(start: Buffer, format: FileFormat): FileKind | undefined {
  const kind = KINDS.find(({ mark }) => start.subarray(0, mark.length).equals(mark));
  return kind === undefined || kind.format === format ? undefined : kind;
}

type KnownKind = FileKind & {
  readonly mark: Buffer;
  /** The format in the manifest for such files. */
  readonly format?: FileFormat;
};

const archive = (name: string, ...mark: readonly number[]): KnownKind => ({
  name,
  mark: Buffer.from(mark),
  hint: 'Unpack it and name the files in it. A single file may be compressed with gzip or zip.',
});

const compressed = (name: string, ...mark: readonly number[]): KnownKind => ({
  name,
  mark: Buffer.from(mark),
  hint: 'Decompress it, or compress it with gzip instead.',
});

const document = (name: string, mark: string, hint: string): KnownKind => ({
  name,
  mark: Buffer.from(mark, 'latin1'),
  hint,
});

const EXPORT_CSV = 'Export its rows as CSV.';

const KINDS: readonly KnownKind[] = [
  archive('an empty zip archive', 0x50, 0x4b, 0x05, 0x06),
  archive('a 7z archive', 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c),
  archive('a RAR archive', 0x52, 0x61, 0x72, 0x21, 0x1a, 0x07),
  compressed('compressed with xz', 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00),
  compressed('compressed with zstd', 0x28, 0xb5, 0x2f, 0xfd),
  // `BZh`, the block size and the start of a block.
  ...Array.from({ length: 9 }, (_, size) =>
    compressed('compressed with bzip2', 0x42, 0x5a, 0x68, 0x31 + size, 0x31, 0x41, 0x59),
  ),
  {
    ...document(
      'a GeoPackage or another SQLite database',
      'SQLite format 3\0',
      'Declare a GeoPackage in the manifest: format: geopackage. Export the rows of another database as CSV.',
    ),
    format: 'geopackage',
  },
  document('a PDF document', '%PDF-', EXPORT_CSV),
  document(
    'an old Excel workbook',
    '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    'Save it as .xlsx, or as CSV in UTF-8.',
  ),
  document('an Arrow file', 'ARROW1', 'Write it as Parquet.'),
  {
    ...document('a Parquet file', 'PAR1', 'Declare it in the manifest: format: parquet.'),
    format: 'parquet',
  },
];
