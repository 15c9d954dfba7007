import { type Static, Type } from 'typebox';
import {
  closed,
  optionalChoice,
  optionalFlag,
  optionalText,
  text,
} from './manifest-schema-parts.ts';

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'iso-8859-1', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Runs of spaces, which are read as tabs. */
export const SPACES = 'spaces';

const DELIMITER_WORDS = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
  [SPACES]: '\t',
} as const;

/** How files are read before their columns become fields. */
export const ReadSchema = closed(
  'How the files are read: what a clean file does not need. Nothing here changes a value.',
  {
    encoding: optionalChoice(
      ENCODINGS,
      'Encoding of the text. Default: by its byte order mark, or else utf-8. A file that is not UTF-8 is refused until its encoding is declared.',
    ),
    delimiter: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Between the values of a CSV or TSV file: comma, semicolon, tab, pipe, spaces (one or more), or another ASCII character. Default: the one with which the header has the columns of the fields.',
      }),
    ),
    quote: Type.Optional(
      Type.String({
        maxLength: 1,
        description: 'Character around values, doubled inside them; empty for none. Default: ".',
      }),
    ),
    header: optionalFlag(
      'Whether a CSV or TSV file or a sheet has the names of its columns above its rows. With false, fields name their columns by position: column: 3. Default: true.',
    ),
    skip_lines: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description:
          'Lines, or rows of a sheet, above the header, such as a title and notes. Default: 0.',
      }),
    ),
    footer: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 10_000 }), text('Start of a line.')], {
        description:
          'What is below the rows: the number of lines, or how the first of them begins, such as Source:. Default: nothing.',
      }),
    ),
    nulls: Type.Optional(
      Type.Array(text('A text.'), {
        minItems: 1,
        uniqueItems: true,
        description:
          'Texts that mean that a value is absent, such as NaN or -. Empty text is always absent.',
      }),
    ),
    coordinates: optionalText(
      'The coordinate system of a shapefile without a .prj: degrees, which are those of WGS 84, or the text that the .prj would have.',
    ),
    sheet: optionalText('The sheet of an Excel workbook. Default: the first one.'),
    member: optionalText(
      'The part of a file that is read: the file within a zip archive, the shapefile within one, the layer of a GeoPackage, or the array of rows within an object of JSON, such as result.records. It may be left out if there is only one.',
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
