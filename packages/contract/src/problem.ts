import { type Static, Type } from 'typebox';
import { closed } from './schema-parts.ts';

const ProblemPlaceSchema = closed(
  {
    pointer: Type.String({ description: 'JSON pointer to the place in the request.' }),
    detail: Type.String(),
  },
  { title: 'ProblemPlace' },
);

/** An error over HTTP: RFC 9457 with our members. */
export const ProblemSchema = closed(
  {
    type: Type.String({ description: 'URI reference that identifies the reason.' }),
    title: Type.String({ description: 'Short title, the same for every occurrence.' }),
    status: Type.Integer(),
    detail: Type.String({ description: 'What happened, with the value that caused it.' }),
    instance: Type.String({ description: 'The path of the request.' }),
    code: Type.String({
      description: 'The name of the gRPC code.',
      examples: ['INVALID_ARGUMENT'],
    }),
    reason: Type.String({
      description: 'The reason, stable, in UPPER_SNAKE.',
      examples: ['UNKNOWN_FIELD'],
    }),
    hint: Type.Optional(Type.String({ description: 'What to do.' })),
    errors: Type.Optional(
      Type.Array(ProblemPlaceSchema, { description: 'Where the request is wrong.' }),
    ),
    limit: Type.Optional(
      Type.String({
        description: 'The limit of the organisation that is reached.',
        examples: ['rowsPerDay'],
      }),
    ),
    requestId: Type.String({ description: 'The same as in the header X-Request-Id.' }),
  },
  { title: 'Problem' },
);
export type Problem = Static<typeof ProblemSchema>;
