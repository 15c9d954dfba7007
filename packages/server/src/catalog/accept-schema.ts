import { type Static, Type } from 'typebox';
import { closed } from './manifest-schema-parts.ts';

const amount = (description: string) =>
  Type.Optional(
    Type.Union([Type.Number(), Type.String()], {
      description: `${description} A count such as 10, or a share such as 1%.`,
    }),
  );

const percentage = (description: string) =>
  Type.Optional(
    Type.Union([Type.Number(), Type.String()], {
      description: `${description} A percentage such as 50%.`,
    }),
  );

export const AcceptSchema = closed(
  'What a publish may leave out and change; more refuses it. What is not named may change as it likes and is only reported.',
  {
    rejected_rows: amount(
      'Rows of the files that may be wrong: they are left out and reported. Default: 0.',
    ),
    row_count_change: amount('Records more or less than in the version before.'),
    vanished_periods: amount('Periods of the version before that may be missing.'),
    vanished_features: amount('Features of the version before that may be missing.'),
    period_jump: percentage(
      'How much the records and the sums of a period may change, one that appears against the period before it. More than this is reported as a jump; default there: 50%.',
    ),
    feature_jump: percentage(
      'How much the records and the means of a feature may change. More than this is reported as a jump; default there: 50%.',
    ),
    jumped_features: amount(
      'Features that may change by more than feature_jump, of those in both versions. Default where feature_jump is given: 0.',
    ),
  },
);

export type AcceptDocument = Static<typeof AcceptSchema>;
