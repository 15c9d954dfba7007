import { ProblemSchema } from '@locmetrics/contract';
import type { TSchema } from 'typebox';

/** What the routes of the catalog interface have in common in the OpenAPI document. */
export function catalogSchema<const Body extends TSchema>(route: {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body: Body;
  readonly answer: TSchema;
}) {
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: `${route.description}\n\nEvery field is accepted in snake_case and in lowerCamelCase; an unknown field is an error.`,
    tags: ['catalog'],
    body: route.body,
    response: problemAnswers(route.answer),
  };
}

/** The answer of a route, or a problem. */
export function problemAnswers(answer: TSchema) {
  return {
    200: {
      description: 'The answer.',
      content: { 'application/json': { schema: answer } },
    },
    default: {
      description: 'A problem: `reason` says which, `hint` what to do.',
      content: { 'application/problem+json': { schema: ProblemSchema } },
    },
  };
}
