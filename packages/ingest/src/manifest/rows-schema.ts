import { Type } from 'typebox';
import { FILE_FORMAT_NAMES } from './file-formats.ts';
import {
  closed,
  keyed,
  NAME_PATTERN,
  NOT_BLANK_PATTERN,
  optionalChoice,
  optionalDigits,
  optionalText,
  text,
} from './manifest-schema-parts.ts';
import { ReadSchema } from './read-schema.ts';
import { DUPLICATE_RULES, UNMATCHED_RULES } from './row-steps.ts';

const UnpivotSchema = closed(
  'Makes a row of each of several columns: of a column per year, for example.',
  {
    name: text('The new column with the part of the name in which the columns differ.'),
    values: keyed(
      NOT_BLANK_PATTERN,
      Type.Union([text('A pattern.'), Type.Array(text('A column.'), { minItems: 1 })], {
        description:
          'The columns whose values it gets: a pattern, in which # stands for a digit and * for any characters, or a list.',
      }),
      'The new columns with the values, by name.',
      { minProperties: 1 },
    ),
  },
);

/** Names that stay, as a list; or new names with what they are. */
const names = (description: string) =>
  Type.Union(
    [
      Type.Array(text('A column.'), { minItems: 1, uniqueItems: true }),
      Type.Record(Type.String({ pattern: NOT_BLANK_PATTERN }), text('What it is.'), {
        additionalProperties: false,
        minProperties: 1,
      }),
    ],
    { description },
  );

const AggregateSchema = closed('Makes one row of all rows with the same values in some columns.', {
  by: names(
    'The columns whose values the rows of a group share: a list of names, or new columns with an expression in SQL for each, such as day: left("Date", 10).',
  ),
  values: keyed(
    NOT_BLANK_PATTERN,
    closed('A function and its column: sum: Visits.', {
      sum: optionalText('The column whose numbers are added up.'),
      mean: optionalText('The column of whose numbers the mean is taken.'),
      median: optionalText('The column of whose numbers the median is taken.'),
      min: optionalText('The column whose least number is taken.'),
      max: optionalText('The column whose greatest number is taken.'),
      count: optionalText('The column whose present values are counted, or * for the rows.'),
      format: optionalText(
        'How the column writes 1234.5, such as 1.234,5 or $1,234. Default: 1234.5.',
      ),
    }),
    'The new columns with the numbers, by name.',
    { minProperties: 1 },
  ),
  totals: Type.Optional(
    keyed(
      NOT_BLANK_PATTERN,
      text('The text that rows of a total have in the column, such as All ages.'),
      'Columns of by over which there are totals too: rows that have this text in place of a value.',
      { minProperties: 1, maxProperties: 6 },
    ),
  ),
});

const FILE_KEYS = {
  file: text('The file; its path is relative like those of files.'),
  format: optionalChoice(FILE_FORMAT_NAMES, 'Its format. Default: by its name.'),
  read: Type.Optional(ReadSchema),
};

const JoinSchema = closed('Adds columns of another file to the rows that have the same key.', {
  ...FILE_KEYS,
  on: names(
    'The key: a list of columns that both have, or columns of the rows with that of the file for each. A key that the file has twice is refused.',
  ),
  pad: optionalDigits(
    'Digits that the codes of the key are filled up to with leading zeros, in both; for several columns a list.',
  ),
  columns: Type.Optional(
    names(
      'The columns of the file that come over: a list, or new names with the column for each. Default: all but those of on.',
    ),
  ),
  unmatched: optionalChoice(
    UNMATCHED_RULES,
    'What happens to rows for which the file has no row: they keep absent values, are left out, or refuse the publish. Default: keep.',
  ),
});

const SqlSchema = Type.Union(
  [
    text('A SELECT over the table rows.'),
    closed('A SELECT over the table rows and over files.', {
      select: text('A SELECT over the table rows and those of tables.'),
      tables: keyed(NAME_PATTERN, closed('A file as a table.', FILE_KEYS), 'Files by table name.', {
        minProperties: 1,
      }),
    }),
  ],
  {
    description:
      "One SELECT of DuckDB's SQL over the table rows, whose columns are texts. Its columns become those of the rows.",
  },
);

/** The steps between the rows of the files and the fields. */
export const RowsSchema = Type.Array(
  closed('A step: one of these keys.', {
    where: optionalText(
      'A condition in SQL over the columns of the files, which are texts. Rows for which it is not true are left out.',
    ),
    unpivot: Type.Optional(UnpivotSchema),
    aggregate: Type.Optional(AggregateSchema),
    join: Type.Optional(JoinSchema),
    sql: Type.Optional(SqlSchema),
    duplicates: optionalChoice(
      DUPLICATE_RULES,
      'What happens to rows with the same key: the first or the last is kept, their numbers are added up, or the smallest or greatest is taken, or they must be the same in all fields. The last step.',
    ),
  }),
  {
    minItems: 1,
    description: 'Steps that the rows go through, in this order, before columns become fields.',
  },
);
