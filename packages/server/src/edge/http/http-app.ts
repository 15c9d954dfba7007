import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ManagementOperations } from '../../auth/control-store.ts';
import type { Call, ServiceContext } from '../../service/service-context.ts';
import type { AnswerUnlessHeld } from './answer-unless-held.ts';

export type HttpApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The dependencies of a route. */
export type RouteContext = {
  readonly service: ServiceContext;
  readonly store: ManagementOperations;
  readonly callOf: (request: FastifyRequest) => Call;
  readonly answerUnlessHeld: AnswerUnlessHeld;
};

export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';
