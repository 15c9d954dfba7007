import {
  AdminAddGrantSchema,
  AdminGrantAddedSchema,
  AdminGrantAddressSchema,
  AdminGrantAnswerSchema,
  AdminGrantsAnswerSchema,
  AdminListQuerySchema,
} from '@locmetrics/contract';
import { actorOf } from '../../../../auth/actor.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import { grantState } from '../../../../domain/grant-fit.ts';
import { toFittedGrantAnswer, toGrantAnswer } from '../../../../encoding/control-entries.ts';
import type { HttpApp } from '../../http-app.ts';
import { describedRoute } from '../../openapi/route-description.ts';
import { readGrantTerms } from '../../request/read-grant-terms.ts';
import type { RouteContext } from '../route-context.ts';
import { ADMIN } from './access.ts';
import { NO_QUERY } from './no-query.ts';

const listSchema = describedRoute(
  'listGrants',
  {
    tag: 'admin',
    summary: 'List the grants',
    answer: AdminGrantsAnswerSchema,
    refusals: [404],
  },
  { querystring: AdminListQuerySchema },
);

const addSchema = describedRoute(
  'addGrant',
  {
    tag: 'admin',
    summary: 'Grant an organisation datasets or metrics',
    description:
      'The grant is checked against the datasets and metrics that its pattern matches now. If several grants match the same one, only the most specific decides.',
    answer: AdminGrantAddedSchema,
    refusals: [404, 409],
  },
  { body: AdminAddGrantSchema },
);

const removeSchema = describedRoute(
  'removeGrant',
  {
    tag: 'admin',
    summary: 'Remove a grant',
    description: 'It ends with the next request.',
    answer: AdminGrantAnswerSchema,
    refusals: [404],
  },
  { params: AdminGrantAddressSchema, ...NO_QUERY },
);

const PATH = '/v1/admin/grants';

export function routeAdminGrants(app: HttpApp, { service, store, callOf }: RouteContext): void {
  app.get(PATH, { schema: listSchema, ...ADMIN }, async ({ query }) => ({
    grants: store.listGrants(query).map((entry) => {
      const fits = service.fitGrant(entry.grant);
      return toFittedGrantAnswer({
        ...entry,
        fits,
        state: grantState(entry.grant, fits, Date.now()),
      });
    }),
  }));
  app.post(PATH, { schema: addSchema, ...ADMIN }, async (request) => {
    const terms = readGrantTerms(request.body);
    const names = service.checkGrant(terms);
    const by = actorOf(callOf(request).caller);
    return {
      grant: toGrantAnswer(
        await whenUnlocked(() => store.addGrant(request.body.organisationId, terms, by)),
      ),
      names,
    };
  });
  app.delete(`${PATH}/:grantId`, { schema: removeSchema, ...ADMIN }, async (request) => ({
    grant: toGrantAnswer(
      await whenUnlocked(() =>
        store.removeGrant(request.params.grantId, actorOf(callOf(request).caller)),
      ),
    ),
  }));
}
