import { type Static, Type } from 'typebox';
import { closed, text } from './manifest-schema-parts.ts';

const amount = (description: string) =>
  Type.Optional(
    Type.Union([Type.Number(), Type.String()], {
      description: `${description} A count (\`10\`) or a share (\`1%\`).`,
    }),
  );

const percentage = (description: string) =>
  Type.Optional(
    Type.Union([Type.Number(), Type.String()], {
      description: `${description} A percentage (\`50%\`).`,
    }),
  );

export const AcceptSchema = closed(
  'How much a publish may leave out and change. A publish that exceeds a threshold is refused; changes without a threshold are only reported.',
  {
    rejected_rows: amount(
      'How many rows of the files may be wrong. They are left out and reported; of rows with the same key, the first is kept. Default: `0`.',
    ),
    outside_region: amount(
      'How many points may lie outside the `region`. Default: no limit; they are only reported.',
    ),
    unmatched_records: amount(
      'How many records may lack a feature, because the feature id of a metric is absent or not in its layer. Such a record can never be a value. Default: no limit; a notice reports how many there are.',
    ),
    row_count_change: amount(
      'How many more or fewer records there may be than in the previous version.',
    ),
    vanished_periods: amount('How many periods of the previous version may be missing.'),
    vanished_features: amount('How many features of the previous version may be missing.'),
    period_jump: percentage(
      'How much the number of records of a period, or the sum of a measure over it, may change. A new period is compared with the period before it. The report lists larger changes as jumps, above 50% by default.',
    ),
    feature_jump: percentage(
      'How much the number of records of a feature, or the mean of a measure of it, may change over the periods that both versions have. The report lists larger changes as jumps, above 50% by default.',
    ),
    jumped_features: amount(
      'How many features may change by more than `feature_jump` (50% if absent). Default: `0` if `feature_jump` is set, otherwise no limit.',
    ),
    notices: Type.Optional(
      Type.Array(
        closed('An accepted notice.', {
          notice: text(
            'The start of the notice, as a publish prints it after the name of the dataset. `*` stands for any text.',
          ),
          reason: text('Why you accept it. The report keeps this text.'),
        }),
        {
          minItems: 1,
          description:
            'Notices that you know and accept. A publish counts them in one line, and `report.json` keeps them with your reasons.',
        },
      ),
    ),
  },
);

export type AcceptDocument = Static<typeof AcceptSchema>;
