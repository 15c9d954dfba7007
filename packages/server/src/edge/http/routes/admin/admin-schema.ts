import { AdminNothingSchema } from '@locmetrics/contract';
import type { TSchema } from 'typebox';
import { problemAnswers } from '../catalog-route.ts';

/** What the routes of the admin interface have in common in the OpenAPI document. */
export function adminSchema<const Inputs extends Readonly<Record<string, TSchema>>>(
  route: {
    readonly operationId: string;
    readonly summary: string;
    readonly description?: string;
    readonly answer: TSchema;
  },
  inputs: Inputs,
) {
  const { operationId, summary, description, answer } = route;
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: ['admin'],
    response: problemAnswers(answer),
    ...inputs,
  };
}

/** Of a route without parameters in its address: one that is there is refused. */
export const NO_QUERY = { querystring: AdminNothingSchema } as const;
