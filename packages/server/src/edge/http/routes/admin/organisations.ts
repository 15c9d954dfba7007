import {
  AdminCreateOrganisationSchema,
  AdminNothingSchema,
  AdminOrganisationAddressSchema,
  AdminOrganisationAnswerSchema,
  AdminOrganisationsAnswerSchema,
  AdminResumeOrganisationSchema,
  AdminSuspendOrganisationSchema,
} from '@locmetrics/contract';
import { toOrganisationAnswer } from '@locmetrics/core/encoding/control-entries';
import { actorOf } from '../../../../auth/actor.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import { type Route, route } from '../route.ts';

const common = { access: 'admin', answer: AdminOrganisationAnswerSchema } as const;

export const organisationRoutes: readonly Route[] = [
  route(
    {
      operationId: 'listOrganisations',
      at: 'GET /v1/admin/organisations',
      access: 'admin',
      summary: 'List the organisations',
      answer: AdminOrganisationsAnswerSchema,
      refusals: [],
      querystring: AdminNothingSchema,
    },
    async ({ store }) => ({ organisations: store.listOrganisations().map(toOrganisationAnswer) }),
  ),
  route(
    {
      ...common,
      operationId: 'createOrganisation',
      at: 'POST /v1/admin/organisations',
      summary: 'Create an organisation',
      description: 'A new organisation sees no data until it has a grant.',
      refusals: [409],
      body: AdminCreateOrganisationSchema,
    },
    async ({ store }, { body: { name, id }, call }) => {
      const organisation = { name, ...(id === undefined ? {} : { id }) };
      const by = actorOf(call.caller);
      return toOrganisationAnswer(
        await whenUnlocked(() => store.createOrganisation(organisation, by)),
      );
    },
  ),
  route(
    {
      ...common,
      operationId: 'suspendOrganisation',
      at: 'POST /v1/admin/organisations/:organisationId/suspend',
      summary: 'Suspend an organisation',
      description:
        'From the next request on, all tokens of the organisation are refused with `ORGANISATION_SUSPENDED`. Nothing is removed.',
      refusals: [404, 409],
      params: AdminOrganisationAddressSchema,
      body: AdminSuspendOrganisationSchema,
    },
    async ({ store }, { params: { organisationId: id }, call }) => {
      const by = actorOf(call.caller);
      return toOrganisationAnswer(await whenUnlocked(() => store.suspendOrganisation(id, by)));
    },
  ),
  route(
    {
      ...common,
      operationId: 'resumeOrganisation',
      at: 'POST /v1/admin/organisations/:organisationId/resume',
      summary: 'Resume a suspended organisation',
      description:
        'The tokens of the organisation are accepted again, with the same grants and limits.',
      refusals: [404],
      params: AdminOrganisationAddressSchema,
      body: AdminResumeOrganisationSchema,
    },
    async ({ store }, { params: { organisationId: id }, call }) => {
      const by = actorOf(call.caller);
      return toOrganisationAnswer(await whenUnlocked(() => store.resumeOrganisation(id, by)));
    },
  ),
];
