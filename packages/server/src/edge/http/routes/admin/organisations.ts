import {
  AdminCreateOrganisationSchema,
  AdminOrganisationAddressSchema,
  AdminOrganisationAnswerSchema,
  AdminOrganisationsAnswerSchema,
  AdminResumeOrganisationSchema,
  AdminSuspendOrganisationSchema,
} from '@locmetrics/contract';
import { actorOf } from '../../../../auth/actor.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import { toOrganisationAnswer } from '../../../../encoding/control-entries.ts';
import type { HttpApp } from '../../http-app.ts';
import { describedRoute } from '../../openapi/route-description.ts';
import type { RouteContext } from '../route-context.ts';
import { ADMIN } from './access.ts';
import { NO_QUERY } from './no-query.ts';

const listSchema = describedRoute(
  'listOrganisations',
  {
    tag: 'admin',
    summary: 'List the organisations',
    answer: AdminOrganisationsAnswerSchema,
    refusals: [],
  },
  NO_QUERY,
);

const createSchema = describedRoute(
  'createOrganisation',
  {
    tag: 'admin',
    summary: 'Create an organisation',
    description: 'It sees no data before it has a grant.',
    answer: AdminOrganisationAnswerSchema,
    refusals: [409],
  },
  { body: AdminCreateOrganisationSchema },
);

const suspendSchema = describedRoute(
  'suspendOrganisation',
  {
    tag: 'admin',
    summary: 'Suspend an organisation',
    description:
      'All its tokens are refused with `ORGANISATION_SUSPENDED` from the next request on. Nothing is removed.',
    answer: AdminOrganisationAnswerSchema,
    refusals: [404, 409],
  },
  { params: AdminOrganisationAddressSchema, body: AdminSuspendOrganisationSchema },
);

const resumeSchema = describedRoute(
  'resumeOrganisation',
  {
    tag: 'admin',
    summary: 'Resume a suspended organisation',
    description: 'Its tokens are accepted again, with the same grants and limits.',
    answer: AdminOrganisationAnswerSchema,
    refusals: [404],
  },
  { params: AdminOrganisationAddressSchema, body: AdminResumeOrganisationSchema },
);

const PATH = '/v1/admin/organisations';

export function routeAdminOrganisations(app: HttpApp, { store, callOf }: RouteContext): void {
  app.get(PATH, { schema: listSchema, ...ADMIN }, async () => ({
    organisations: store.listOrganisations().map(toOrganisationAnswer),
  }));
  app.post(PATH, { schema: createSchema, ...ADMIN }, async (request) => {
    const { name, id } = request.body;
    const organisation = { name, ...(id === undefined ? {} : { id }) };
    return toOrganisationAnswer(
      await whenUnlocked(() =>
        store.createOrganisation(organisation, actorOf(callOf(request).caller)),
      ),
    );
  });
  app.post(
    `${PATH}/:organisationId/suspend`,
    { schema: suspendSchema, ...ADMIN },
    async (request) => {
      const { organisationId } = request.params;
      const by = actorOf(callOf(request).caller);
      return toOrganisationAnswer(
        await whenUnlocked(() => store.suspendOrganisation(organisationId, by)),
      );
    },
  );
  app.post(
    `${PATH}/:organisationId/resume`,
    { schema: resumeSchema, ...ADMIN },
    async (request) => {
      const { organisationId } = request.params;
      const by = actorOf(callOf(request).caller);
      return toOrganisationAnswer(
        await whenUnlocked(() => store.resumeOrganisation(organisationId, by)),
      );
    },
  );
}
