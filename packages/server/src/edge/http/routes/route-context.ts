import type { VersionOperations } from '@locmetrics/data-directory/versions/version-operations';
import type { FastifyRequest } from 'fastify';
import type { ManagementOperations } from '../../../auth/control-store.ts';
import type { Observe } from '../../../observe/observation.ts';
import type { TakingLimits } from '../../../service/queries/unsent-answer.ts';
import type { ServiceContext } from '../../../service/service-context.ts';

/** The dependencies of a route. */
export type RouteContext = {
  readonly service: ServiceContext;
  readonly store: ManagementOperations;
  readonly versions: VersionOperations;
  /** The release of the service, which is part of the tags of answers. */
  readonly release: string;
  readonly observe: Observe;
  /** Refuses the next piece of an answer: see `checkSameRights`. */
  readonly checkSameRights: (request: FastifyRequest) => void;
  /** How slowly a caller may take a stream. */
  readonly taking: TakingLimits;
};
