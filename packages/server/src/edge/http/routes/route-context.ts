import type { FastifyRequest } from 'fastify';
import type { ManagementOperations } from '../../../auth/control-store.ts';
import type { Call, ServiceContext } from '../../../service/service-context.ts';
import type { VersionOperations } from '../../../versions/version-operations.ts';
import type { AnswerUnlessHeld } from '../answer/answer-unless-held.ts';

/** The dependencies of a route. */
export type RouteContext = {
  readonly service: ServiceContext;
  readonly store: ManagementOperations;
  readonly versions: VersionOperations;
  readonly callOf: (request: FastifyRequest) => Call;
  readonly answerUnlessHeld: AnswerUnlessHeld;
};
