import {
  AdminLimitsAnswerSchema,
  AdminOrganisationAddressSchema,
  AdminSetLimitsSchema,
} from '@locmetrics/contract';
import { actorOf } from '../../../../auth/actor.ts';
import { LIMIT_NAMES, type LimitChanges } from '../../../../auth/limits.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import { toLimitsAnswer } from '../../../../encoding/control-entries.ts';
import type { HttpApp } from '../../http-app.ts';
import { describedRoute } from '../../openapi/route-description.ts';
import type { RouteContext } from '../route-context.ts';
import { ADMIN } from './access.ts';
import { NO_QUERY } from './no-query.ts';

const getSchema = describedRoute(
  'getLimits',
  {
    tag: 'admin',
    summary: 'The limits of an organisation',
    answer: AdminLimitsAnswerSchema,
    refusals: [404],
  },
  { params: AdminOrganisationAddressSchema, ...NO_QUERY },
);

const setSchema = describedRoute(
  'setLimits',
  {
    tag: 'admin',
    summary: 'Set all limits of an organisation',
    description: 'An absent limit is removed.',
    answer: AdminLimitsAnswerSchema,
    refusals: [404],
  },
  { params: AdminOrganisationAddressSchema, body: AdminSetLimitsSchema },
);

const PATH = '/v1/admin/organisations/:organisationId/limits';
/** Removes all limits; a request that sets all limits starts from this. */
const NONE: LimitChanges = Object.fromEntries(LIMIT_NAMES.map((name) => [name, 0]));

export function routeAdminLimits(app: HttpApp, { store, callOf }: RouteContext): void {
  app.get(PATH, { schema: getSchema, ...ADMIN }, async ({ params }) =>
    store.listLimits(params).map(toLimitsAnswer).at(0),
  );
  app.put(PATH, { schema: setSchema, ...ADMIN }, async (request) => {
    const { organisationId } = request.params;
    const by = actorOf(callOf(request).caller);
    return toLimitsAnswer(
      await whenUnlocked(() => store.setLimits(organisationId, { ...NONE, ...request.body }, by)),
    );
  });
}
