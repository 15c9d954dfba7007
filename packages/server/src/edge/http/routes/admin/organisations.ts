import {
  AdminCreateOrganisationSchema,
  AdminOrganisationAnswerSchema,
  AdminOrganisationsAnswerSchema,
} from '@locmetrics/contract';
import { actorOf } from '../../../../auth/actor.ts';
import type { Organisation } from '../../../../auth/organisations.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import { timeText } from '../../../../encoding/control-entries.ts';
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

const PATH = '/v1/admin/organisations';

export function routeAdminOrganisations(app: HttpApp, { store, callOf }: RouteContext): void {
  app.get(PATH, { schema: listSchema, ...ADMIN }, async () => ({
    organisations: store.listOrganisations().map(toAnswer),
  }));
  app.post(PATH, { schema: createSchema, ...ADMIN }, async (request) => {
    const { name, id } = request.body;
    const organisation = { name, ...(id === undefined ? {} : { id }) };
    return toAnswer(
      await whenUnlocked(() =>
        store.createOrganisation(organisation, actorOf(callOf(request).caller)),
      ),
    );
  });
}

function toAnswer({ id, name, created }: Organisation) {
  return { id, name, created: timeText(created) };
}
