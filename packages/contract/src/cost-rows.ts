import { Type } from 'typebox';

/** What a request with `countOnly` is told beside the total. */
export const costRows = Type.Optional(
  Type.Integer({
    description:
      'How many rows all pages of the request cost; only with countOnly, which itself costs none.',
  }),
);
