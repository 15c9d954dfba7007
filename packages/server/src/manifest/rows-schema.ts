import { Type } from 'typebox';
import { closed, NOT_BLANK_PATTERN, text } from './manifest-schema-parts.ts';
import { DUPLICATE_RULES } from './row-steps.ts';

const UnpivotSchema = closed(
  'Makes a row of each of several columns: of a column per year, for example.',
  {
    name: text('The new column with the part of the name in which the columns differ.'),
    values: Type.Record(
      Type.String({ pattern: NOT_BLANK_PATTERN }),
      Type.Union([text('A pattern.'), Type.Array(text('A column.'), { minItems: 1 })], {
        description:
          'The columns whose values it gets: a pattern, in which # stands for a digit and * for any characters, or a list.',
      }),
      {
        additionalProperties: false,
        minProperties: 1,
        description: 'The new columns with the values, by name.',
      },
    ),
  },
);

/** The steps between the rows of the files and the fields. */
export const RowsSchema = Type.Array(
  closed('A step: one of these keys.', {
    where: Type.Optional(
      text(
        'A condition in SQL over the columns of the files, which are texts. Rows for which it is not true are left out.',
      ),
    ),
    unpivot: Type.Optional(UnpivotSchema),
    duplicates: Type.Optional(
      Type.Enum(DUPLICATE_RULES, {
        description:
          'What happens to rows with the same key: the first or the last is kept, their numbers are added up, or the smallest or greatest is taken, or they must be the same in all fields. The last step.',
      }),
    ),
  }),
  {
    minItems: 1,
    description: 'Steps that the rows go through, in this order, before columns become fields.',
  },
);
