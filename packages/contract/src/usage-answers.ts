import { type Static, Type } from 'typebox';
import { nextPageToken } from './paging.ts';
import { closed } from './schema-parts.ts';

const sums = {
  requests: Type.Integer({ description: 'Answered requests.' }),
  rows: Type.Integer({ description: 'Records, values and features in their answers.' }),
  bytes: Type.Integer({ description: 'Bytes of their answers before any compression.' }),
};

const UsageRowSchema = closed(
  {
    organisation: Type.Optional(Type.String()),
    day: Type.Optional(Type.String({ format: 'date' })),
    dataset: Type.Optional(
      Type.String({
        description:
          'The dataset, `catalog/metric`, `catalog/layer` or catalog of the request; empty if the request had none.',
      }),
    ),
    operation: Type.Optional(Type.String({ examples: ['listRecords'] })),
    token: Type.Optional(Type.String({ description: 'The id of the token.' })),
    ...sums,
  },
  { title: 'UsageRow' },
);

/** The answer of the usage interface. */
export const UsageResponseSchema = closed(
  {
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    completeUntil: Type.String({
      format: 'date-time',
      description: 'Every request that was answered before this time is counted.',
    }),
    usage: Type.Array(UsageRowSchema, {
      description: 'A row for each group, with the members of groupBy. Rows are sorted by these.',
    }),
    total: closed(sums, {
      title: 'UsageSums',
      description: 'The sums of the whole period. They are the same on each page.',
    }),
    nextPageToken,
  },
  { title: 'UsageResponse' },
);
export type UsageResponse = Static<typeof UsageResponseSchema>;
