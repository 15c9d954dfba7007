import {
  AdminCreateOrganisationSchema,
  AdminOrganisationAnswerSchema,
  AdminOrganisationsAnswerSchema,
} from '@locmetrics/contract';
import { actorOf } from '../../../../auth/actor.ts';
import type { Organisation } from '../../../../auth/organisations.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import { timeText } from '../../../../encoding/control-entries.ts';
import type { HttpApp, RouteContext } from '../../http-app.ts';
import { adminSchema, NO_QUERY } from './admin-schema.ts';

const listSchema = adminSchema(
  {
    operationId: 'listOrganisations',
    summary: 'List the organisations',
    answer: AdminOrganisationsAnswerSchema,
  },
  NO_QUERY,
);

const createSchema = adminSchema(
  {
    operationId: 'createOrganisation',
    summary: 'Create an organisation',
    description: 'It may see nothing before it has a grant.',
    answer: AdminOrganisationAnswerSchema,
  },
  { body: AdminCreateOrganisationSchema },
);

const PATH = '/v1/admin/organisations';

export function routeAdminOrganisations(app: HttpApp, { store, callOf }: RouteContext): void {
  app.get(PATH, { schema: listSchema }, async () => ({
    organisations: store.listOrganisations().map(toAnswer),
  }));
  app.post(PATH, { schema: createSchema }, async (request) => {
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
