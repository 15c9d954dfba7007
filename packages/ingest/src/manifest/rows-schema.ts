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
import { DUPLICATE_RULES, LIST_UNITS, UNMATCHED_RULES } from './row-steps.ts';

/** A column with lists or maps, which keeps its name; or new names. */
function nested(description: string, maxProperties?: number) {
  return Type.Union(
    [
      text('A column.'),
      keyed(NOT_BLANK_PATTERN, text('A column.'), 'New columns, each with its column.', {
        minProperties: 1,
        ...(maxProperties === undefined ? {} : { maxProperties }),
      }),
    ],
    { description },
  );
}

const UnpivotSchema = closed(
  'Turns several columns into rows, for example one column per year into one row per year; or the numbers of a list or of a map in one column.',
  {
    name: text(
      'The new column for the part of the column names that differs; for the day, hour or position of a number in a list; or for the key in a map.',
    ),
    values: Type.Optional(
      keyed(
        NOT_BLANK_PATTERN,
        Type.Union([text('A pattern.'), Type.Array(text('A column.'), { minItems: 1 })], {
          description:
            'The columns it is made of: a list, or a pattern in which `#` stands for a digit and `*` for any characters.',
        }),
        'The new columns with the values, by name. Each is made of a list of columns, or of a pattern in which `#` stands for a digit and `*` for any characters.',
        { minProperties: 1 },
      ),
    ),
    list: Type.Optional(
      nested(
        'The column with lists of numbers, such as `[3,5,2]`: or new columns, each with its column of lists. All lists have the same length.',
      ),
    ),
    map: Type.Optional(
      nested(
        'The column with maps, such as `{"36061":4,"36047":9}`; or a new column with its column of maps.',
        1,
      ),
    ),
    start: optionalText(
      'For a list: the column with the first day, or an SQL expression for it. The time after the day must be midnight.',
    ),
    each: optionalChoice(
      LIST_UNITS,
      'What each number of a list is about: a `day` from `start` on, or an `hour`. Default: `day` with `start`, otherwise the position from 1.',
    ),
  },
);

/** Names that stay, as a list; or new names with what they are. */
const names = (description: string) =>
  Type.Union(
    [
      Type.Array(text('A column.'), { minItems: 1, uniqueItems: true }),
      Type.Record(
        Type.String({ pattern: NOT_BLANK_PATTERN }),
        text('Its column or SQL expression.'),
        {
          additionalProperties: false,
          minProperties: 1,
        },
      ),
    ],
    { description },
  );

const AggregateSchema = closed(
  'Combines all rows that have the same values in some columns into one row.',
  {
    by: names(
      'The columns that the rows of a group share: a list of names, or new columns with an SQL expression for each, such as `day: left("Date", 10)`.',
    ),
    values: keyed(
      NOT_BLANK_PATTERN,
      closed('A function and its column: `sum: Visits`.', {
        sum: optionalText('The sum of this column.'),
        mean: optionalText('The mean of this column.'),
        median: optionalText('The median of this column.'),
        min: optionalText('The smallest number in this column.'),
        max: optionalText('The greatest number in this column.'),
        count: optionalText(
          "The number of values in this column, or `'*'` for the number of rows.",
        ),
        format: optionalText(
          'How the column writes 1234.5, such as `1.234,5` or `$1,234`. Default: `1234.5`.',
        ),
      }),
      'The new columns, by name, each with a function and its column.',
      { minProperties: 1 },
    ),
    totals: Type.Optional(
      keyed(
        NOT_BLANK_PATTERN,
        text('The value of the column in the rows with totals, such as `All ages`.'),
        'Columns of `by` for which totals are added, each with the text that marks its totals, such as `All ages`. Up to 6.',
        { minProperties: 1, maxProperties: 6 },
      ),
    ),
  },
);

const FILE_KEYS = {
  file: text('The file: a path relative to the manifest, or a URL, as in `files`.'),
  format: optionalChoice(
    FILE_FORMAT_NAMES,
    'The file format. Default: derived from the file name.',
  ),
  read: Type.Optional(ReadSchema),
};

const JoinSchema = closed('Adds columns of another file to the rows with the same key.', {
  ...FILE_KEYS,
  on: names(
    'The key to join on: a list of columns that the rows and the file both have, or columns of the rows, each with the matching column of the file. If a key is in the file twice, the publish is refused.',
  ),
  pad: optionalDigits(
    'The number of digits to which the codes of the key are padded with leading zeros, in the rows and in the file. For several columns, a list.',
  ),
  columns: Type.Optional(
    names(
      'The columns to add: a list, or new names, each with its column of the file. Default: all except those of `on`.',
    ),
  ),
  unmatched: optionalChoice(
    UNMATCHED_RULES,
    'What happens to rows without a match: `keep` (the new columns are absent), `leave_out`, or `refuse` the publish. Default: `keep`.',
  ),
});

const SqlSchema = Type.Union(
  [
    text('A SELECT over the table `rows`.'),
    closed('A SELECT over the table `rows` and other files.', {
      select: text('A SELECT over the table `rows` and the tables under `tables`.'),
      tables: keyed(
        NAME_PATTERN,
        closed('A file as a table.', FILE_KEYS),
        'Files, by table name, each with `file`, `format` and `read` as in a join.',
        {
          minProperties: 1,
        },
      ),
    }),
  ],
  {
    description:
      'Replaces the rows with the result of one DuckDB SELECT over the table `rows`. All columns are text.',
  },
);

/** The steps between the rows of the files and the fields. */
export const RowsSchema = Type.Array(
  closed('A step: one of these keys.', {
    where: optionalText('Keeps the rows for which an SQL expression over the columns is true.'),
    fill_down: Type.Optional(
      Type.Array(text('A column.'), {
        minItems: 1,
        uniqueItems: true,
        description:
          'Gives blank values of these columns the value of the row above, as in tables that write a label only once. A value of a column ends those of the columns listed after it.',
      }),
    ),
    unpivot: Type.Optional(UnpivotSchema),
    aggregate: Type.Optional(AggregateSchema),
    join: Type.Optional(JoinSchema),
    sql: Type.Optional(SqlSchema),
    duplicates: optionalChoice(
      DUPLICATE_RULES,
      'What happens to rows with the same key: keep the `first` or `last`, combine their numbers by `sum`, `min` or `max`, or require the `same` values in all fields. It must be the last step. Without it, repeated keys are refused.',
    ),
  }),
  {
    minItems: 1,
    description: 'Steps that prepare the rows, in this order, before their columns become fields.',
  },
);
