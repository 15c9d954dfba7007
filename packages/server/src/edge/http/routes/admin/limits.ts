import {
  AdminLimitsAnswerSchema,
  AdminNothingSchema,
  AdminOrganisationAddressSchema,
  AdminSetLimitsSchema,
} from '@locmetrics/contract';
import { toLimitsAnswer } from '@locmetrics/core/encoding/control-entries';
import { actorOf } from '../../../../auth/actor.ts';
import { LIMIT_NAMES, type LimitChanges } from '../../../../auth/limits.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import { type Route, route } from '../route.ts';

const common = {
  access: 'admin',
  answer: AdminLimitsAnswerSchema,
  refusals: [404],
  params: AdminOrganisationAddressSchema,
} as const;

export const limitRoutes: readonly Route[] = [
  route(
    {
      ...common,
      operationId: 'getLimits',
      at: 'GET /v1/admin/organisations/:organisationId/limits',
      summary: 'Get the limits of an organisation',
      querystring: AdminNothingSchema,
    },
    async ({ store }, { params }) => store.listLimits(params).map(toLimitsAnswer).at(0),
  ),
  route(
    {
      ...common,
      operationId: 'setLimits',
      at: 'PUT /v1/admin/organisations/:organisationId/limits',
      summary: 'Set all limits of an organisation',
      description: 'Replaces all limits. A limit that is absent from the body is removed.',
      body: AdminSetLimitsSchema,
    },
    async ({ store }, { params: { organisationId }, body, call }) => {
      const by = actorOf(call.caller);
      const changes = { ...NONE, ...body };
      return toLimitsAnswer(await whenUnlocked(() => store.setLimits(organisationId, changes, by)));
    },
  ),
];

/** Removes all limits; a request that sets all limits starts from this. */
const NONE: LimitChanges = Object.fromEntries(LIMIT_NAMES.map((name) => [name, 0]));
