import { type Static, Type } from 'typebox';
import { closed, text } from './manifest-schema-parts.ts';

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
  'How much a publish may leave out and change; a publish with more is refused. A change without a threshold is only reported.',
  {
    rejected_rows: amount(
      'Rows of the files that may be wrong: they are left out and reported. Default: 0.',
    ),
    outside_region: amount(
      'Points of the files that may lie outside the region of the point. Without it they are only reported.',
    ),
    unmatched_records: amount(
      'Records whose feature is absent or not in the layer of a metric: they can never be values. Default: any number, told in a notice.',
    ),
    row_count_change: amount('Records more or less than in the version before.'),
    vanished_periods: amount('Periods of the version before that may be missing.'),
    vanished_features: amount('Features of the version before that may be missing.'),
    period_jump: percentage(
      'How much the records and the sums of a period may change; a new period is compared with the one before it. A greater change is reported as a jump; the default for the report is 50%.',
    ),
    feature_jump: percentage(
      'How much the records and the means of a feature may change. A greater change is reported as a jump; the default for the report is 50%.',
    ),
    jumped_features: amount(
      'Features that may change by more than feature_jump, of those in both versions. Default where feature_jump is given: 0.',
    ),
    notices: Type.Optional(
      Type.Array(
        closed('An accepted notice.', {
          notice: text(
            'Start of the notice, as a publish prints it after the name of the dataset. A * stands for any text.',
          ),
          reason: text('Why it is accepted; kept in the report.'),
        }),
        {
          minItems: 1,
          description:
            'Notices of a publish that are known and accepted. They are counted in one line, and kept in report.json with their reason.',
        },
      ),
    ),
  },
);

export type AcceptDocument = Static<typeof AcceptSchema>;
