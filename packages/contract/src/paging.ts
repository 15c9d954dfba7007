import { Type } from 'typebox';
import { CHECKED_LATER } from './schema-parts.ts';

/** Members that all paged requests and answers share. */

export const pageSize = Type.Optional(
  Type.Integer({
    description:
      'Maximum number of rows. Absent or 0: 100. At most 10,000; a negative number is an error.',
    examples: [100],
    [CHECKED_LATER]: { minimum: 0 },
  }),
);

export const pageToken = Type.Optional(
  Type.String({
    description:
      'The nextPageToken of the previous page. Send the same request; only pageSize may change.',
  }),
);

export const nextPageToken = Type.String({
  description: 'The pageToken of the next page. Empty only on the last page.',
});

/** The number of all rows of a request under `/v1`. */
export const totalSizeOf = (rows: string) =>
  Type.Integer({
    description: `How many ${rows} match in total, at most 2147483647. It is the same on each page.`,
  });

/** The members that `countOnly` adds to an answer. */
export const costRows = Type.Optional(
  Type.Integer({
    description:
      'How many rows all pages of the request cost. Only with countOnly, which itself costs none.',
  }),
);
