import { type Static, Type } from 'typebox';
import { closed, nullable, time } from './schema-parts.ts';

/** The answers about the caller: its identity, and the token after a sign-in. */

const limit = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

export const CallerAnswerSchema = closed(
  {
    organisationId: Type.String({
      description: 'The billing context of its requests.',
      examples: ['somewhere'],
    }),
    organisationName: Type.String({ examples: ['City of Somewhere'] }),
    tokenId: Type.String({ examples: ['0123456789ab'] }),
    tokenName: Type.String({ description: 'The purpose of the token.', examples: ['reports'] }),
    scopes: Type.Array(Type.String(), {
      description: 'The scopes of the token: catalog, metrics, usage, operate, admin.',
      examples: [['catalog', 'metrics', 'usage']],
    }),
    expires: nullable(time, 'The time at which the token expires; null if it does not expire.'),
    limits: closed(
      {
        requestsPerSecond: limit('Average number of requests per second.'),
        burst: limit('How many requests may arrive at once.'),
        rowsPerDay: limit('Rows of answers in a day, UTC.'),
        rowsPerMonth: limit('Rows of answers in a calendar month, UTC.'),
        concurrentQueries: limit('Requests that are answered at the same time.'),
      },
      {
        title: 'CallerLimits',
        description: 'The limits of the organisation, which all its tokens share. null: no limit.',
      },
    ),
    viewedRowsPerDay: limit(
      'Rows that the organisation may look at in a day (UTC) besides its limits of rows, with the header Locmetrics-Purpose: view. null: no limit.',
    ),
    viewedRowsPerMonth: limit(
      'The same for a calendar month. If both are null and the organisation has limits of rows, looking counts against these.',
    ),
  },
  { title: 'Caller' },
);
export type CallerAnswer = Static<typeof CallerAnswerSchema>;

export const SignInAnswerSchema = closed(
  {
    token: Type.String({
      description: 'The text of the new token. It is shown only here.',
      examples: [`lm_${'0'.repeat(36)}`],
    }),
    expires: time,
  },
  { title: 'SignInResponse' },
);
