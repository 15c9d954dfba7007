import {
  AdminAddGrantSchema,
  AdminGrantAddedSchema,
  AdminGrantAddressSchema,
  AdminGrantAnswerSchema,
  AdminGrantReplacedSchema,
  AdminGrantsAnswerSchema,
  AdminListQuerySchema,
  AdminNothingSchema,
  AdminReplaceGrantSchema,
} from '@locmetrics/contract';
import { grantState } from '@locmetrics/core/domain/grant-fit';
import { toFittedGrantAnswer, toGrantAnswer } from '@locmetrics/core/encoding/control-entries';
import { actorOf } from '../../../../auth/actor.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import { readGrantTerms } from '../../request/read-grant-terms.ts';
import { type Route, route } from '../route.ts';

export const grantRoutes: readonly Route[] = [
  route(
    {
      operationId: 'listGrants',
      at: 'GET /v1/admin/grants',
      access: 'admin',
      summary: 'List the grants',
      answer: AdminGrantsAnswerSchema,
      refusals: [404],
      querystring: AdminListQuerySchema,
    },
    async ({ service, store }, { query }) => ({
      grants: store.listGrants(query).map((entry) => {
        const fits = service.fitGrant(entry.grant);
        const state = grantState(entry.grant, fits, Date.now());
        return toFittedGrantAnswer({ ...entry, fits, state });
      }),
    }),
  ),
  route(
    {
      operationId: 'addGrant',
      at: 'POST /v1/admin/grants',
      access: 'admin',
      summary: 'Grant an organisation datasets or metrics',
      description:
        'Checks the grant against the datasets and metrics that its pattern matches now, and adds it. If several grants match a dataset or metric, only the most specific one applies.',
      answer: AdminGrantAddedSchema,
      refusals: [404, 409],
      body: AdminAddGrantSchema,
    },
    async ({ service, store }, { body, call }) => {
      const terms = readGrantTerms(body);
      const names = service.checkGrant(terms);
      const by = actorOf(call.caller);
      const added = await whenUnlocked(() => store.addGrant(body.organisationId, terms, by));
      return { grant: toGrantAnswer(added), names };
    },
  ),
  route(
    {
      operationId: 'replaceGrant',
      at: 'PUT /v1/admin/grants/:grantId',
      access: 'admin',
      summary: 'Replace the terms of a grant',
      description:
        'Replaces all terms in one step: each request sees either the old terms or the new ones. An absent field restricts nothing. The id, organisation and creation time stay. `before` has the old terms.',
      answer: AdminGrantReplacedSchema,
      refusals: [404, 409],
      params: AdminGrantAddressSchema,
      body: AdminReplaceGrantSchema,
    },
    async ({ service, store }, { params, body, call }) => {
      const terms = readGrantTerms(body);
      const names = service.checkGrant(terms);
      const by = actorOf(call.caller);
      const { before, ...entry } = await whenUnlocked(() =>
        store.replaceGrant(params.grantId, terms, by),
      );
      return {
        grant: toGrantAnswer(entry),
        names,
        before: toGrantAnswer({ ...entry, grant: before }),
      };
    },
  ),
  route(
    {
      operationId: 'removeGrant',
      at: 'DELETE /v1/admin/grants/:grantId',
      access: 'admin',
      summary: 'Remove a grant',
      description: 'The next request no longer has the grant.',
      answer: AdminGrantAnswerSchema,
      refusals: [404],
      params: AdminGrantAddressSchema,
      querystring: AdminNothingSchema,
    },
    async ({ store }, { params, call }) => {
      const by = actorOf(call.caller);
      return {
        grant: toGrantAnswer(await whenUnlocked(() => store.removeGrant(params.grantId, by))),
      };
    },
  ),
];
