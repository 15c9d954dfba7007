import { type Static, Type } from 'typebox';
import {
  closed,
  keyed,
  NOT_BLANK_PATTERN,
  optionalChoice,
  optionalFlag,
  optionalText,
  text,
} from './manifest-schema-parts.ts';

export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Runs of spaces, which are read as tabs. */
export const SPACES = 'spaces';
/** Runs of at least two spaces, so that one can be within a value. */
export const WIDE_SPACES = 'wide_spaces';

const DELIMITER_WORDS = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
  [SPACES]: '\t',
  [WIDE_SPACES]: '\t',
} as const;

/** A new column, and what its texts are in the names of files or sheets. */
const nameColumns = (description: string) =>
  Type.Optional(
    keyed(
      NOT_BLANK_PATTERN,
      text('A pattern, in which `#` stands for a digit and `*` for any characters.'),
      `${description} The part is that from the first placeholder to the last: \`#\` stands for a digit, \`*\` for any characters.`,
      { minProperties: 1, maxProperties: 1 },
    ),
  );

/** How files are read before their columns become fields. */
export const ReadSchema = closed(
  'How to read the files. A clean file needs none of these keys. None of them changes a value.',
  {
    encoding: optionalChoice(
      ENCODINGS,
      'The text encoding. Default: from the byte order mark, otherwise `utf-8`; for a shapefile, from its `.cpg`. A file that is not UTF-8 is refused until its encoding is declared.',
    ),
    delimiter: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The delimiter of a CSV or TSV file: `comma`, `semicolon`, `tab`, `pipe`, `spaces` (one or more spaces or tabs outside quotes), `wide_spaces` (two or more, or a tab), or another ASCII character. Default: whichever of the first four splits the header into the columns that the fields name.',
      }),
    ),
    quote: Type.Optional(
      Type.String({
        maxLength: 1,
        description:
          'The character around values, doubled inside them. Empty for none. Default: `"`.',
      }),
    ),
    escape: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1,
        description:
          'The character before a quote within a quoted value, such as `\\`. Twice, it is the character itself. Default: none, quotes are doubled.',
      }),
    ),
    header: optionalFlag(
      'True if the first row has the column names. If `false`, fields name columns by position: `column: 3`. Default: `true`.',
    ),
    skip_lines: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description:
          'The number of lines (in a sheet: rows) above the header, such as a title. Default: `0`.',
      }),
    ),
    skip_below_header: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description:
          'The number of lines (in a sheet: rows) between the header and the first row, such as one with the units of the columns. Default: `0`.',
      }),
    ),
    repeated_headers: optionalFlag(
      'True to leave out the lines that repeat the header, as in files that were joined. The publish report counts them. Default: `false`.',
    ),
    footer: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 10_000 }), text('Start of a line.')], {
        description:
          "What follows the rows: a number of lines, or the start of the first such line, for example `'Source:'`. A publish is refused if no line starts with this text. Default: nothing.",
      }),
    ),
    nulls: Type.Optional(
      Type.Array(text('A text.'), {
        minItems: 1,
        uniqueItems: true,
        description:
          'Texts that mean that a value is absent, such as `NaN` or `-`. Spaces around them are ignored. Empty text is always absent.',
      }),
    ),
    coordinates: optionalText(
      'The coordinate system of a shapefile without a `.prj`: `degrees` for WGS 84, or the text that the `.prj` would have (`PROJCS[…]`). Refused if the shapefile has a `.prj`.',
    ),
    sheet: optionalText('The sheet of an Excel workbook. Default: the first.'),
    sheet_name: nameColumns(
      'A new column with a part of the name of the sheet, such as `{ year: "####" }`. All sheets whose names match are read. It replaces `sheet`.',
    ),
    file_name: nameColumns(
      'A new column with a part of the name of the file, such as `{ year: crime-####.csv }`. A file whose name does not match is refused.',
    ),
    member: optionalText(
      'The part of the file to read: a file in a zip archive, a shapefile in one (`data/counties.shp`), a layer of a GeoPackage, or the array of rows in a JSON object (`result.records`, not in a zip archive). Required if there are several.',
    ),
  },
);

export type ReadKey = keyof Static<typeof ReadSchema>;

/** The character that a delimiter stands for; undefined for a word that is none. */
export function delimiterCharacter(written: string): string | undefined {
  const words: Readonly<Record<string, string>> = DELIMITER_WORDS;
  if (Object.hasOwn(words, written)) return words[written];
  return written.length === 1 ? written : undefined;
}

export const DELIMITER_NAMES: readonly string[] = Object.keys(DELIMITER_WORDS);
