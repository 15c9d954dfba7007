import { type Static, Type } from 'typebox';
import { closed } from './schema-parts.ts';

const sums = {
  requests: Type.Integer({ description: 'Answered requests.' }),
  rows: Type.Integer({ description: 'Records, values and features in their answers.' }),
  bytes: Type.Integer({ description: 'Bytes of their answers before any compression.' }),
};

/** The answer of the usage interface. */
export const UsageResponseSchema = closed({
  from: Type.String({ format: 'date' }),
  to: Type.String({ format: 'date' }),
  completeUntil: Type.String({
    format: 'date-time',
    description: 'Every request that was answered before is counted.',
  }),
  usage: Type.Array(
    closed({
      organisation: Type.Optional(Type.String()),
      day: Type.Optional(Type.String({ format: 'date' })),
      dataset: Type.Optional(
        Type.String({
          description:
            'The dataset, `catalog/metric`, `catalog/layer` or catalog that was asked for; empty where it was none of them.',
        }),
      ),
      operation: Type.Optional(Type.String({ examples: ['listRecords'] })),
      token: Type.Optional(Type.String({ description: 'The id of the token.' })),
      ...sums,
    }),
    { description: 'With the members that usage is added up by, in their order.' },
  ),
  total: closed(sums, { description: 'Of the whole period, the same on each page.' }),
  nextPageToken: Type.String({
    description: 'pageToken of the next page; empty on the last one, and only there.',
  }),
});
export type UsageResponse = Static<typeof UsageResponseSchema>;
