import {
  AdminDatasetAddressSchema,
  AdminDiffAnswerSchema,
  AdminDiffQuerySchema,
  AdminReportAnswerSchema,
  AdminRollbackSchema,
  AdminSwitchAnswerSchema,
  AdminVersionAddressSchema,
  AdminVersionsAnswerSchema,
  AdminVersionsQuerySchema,
} from '@locmetrics/contract';
import { actorOf } from '../../../../auth/actor.ts';
import { switchChanges } from '../../../../auth/version-changes.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import type { HttpApp } from '../../http-app.ts';
import { describedRoute } from '../../openapi/route-description.ts';
import type { RouteContext } from '../route-context.ts';
import { ADMIN } from './access.ts';
import { NO_QUERY } from './no-query.ts';

const listSchema = describedRoute(
  'listVersions',
  {
    tag: 'admin',
    summary: 'List the versions of datasets',
    description:
      'With the history of what was current, as `locmetrics versions --json` prints them.',
    answer: AdminVersionsAnswerSchema,
    refusals: [404],
  },
  { querystring: AdminVersionsQuerySchema },
);

const reportSchema = describedRoute(
  'getReport',
  {
    tag: 'admin',
    summary: 'The report of a publish',
    answer: AdminReportAnswerSchema,
    refusals: [404],
  },
  { params: AdminVersionAddressSchema, ...NO_QUERY },
);

const diffSchema = describedRoute(
  'compareVersions',
  {
    tag: 'admin',
    summary: 'Compare two versions of a dataset',
    description:
      'Their schemas, and their records by the key, as `locmetrics diff --json` prints them. It takes as long as reading both.',
    answer: AdminDiffAnswerSchema,
    refusals: [404],
  },
  { params: AdminDatasetAddressSchema, querystring: AdminDiffQuerySchema },
);

const rollbackSchema = describedRoute(
  'rollBack',
  {
    tag: 'admin',
    summary: 'Switch a dataset back to a version that is kept',
    description:
      'It is served from the next request on. Nothing is removed, so it can be switched forth again.',
    answer: AdminSwitchAnswerSchema,
    refusals: [404, 409],
  },
  { body: AdminRollbackSchema },
);

const PATH = '/v1/admin/versions';

export function routeAdminVersions(app: HttpApp, { store, versions, callOf }: RouteContext): void {
  app.get(PATH, { schema: listSchema, ...ADMIN }, async ({ query }) => {
    const { versions: listed, history } = versions.list(query.dataset);
    return { versions: [...listed], history: [...history] };
  });
  app.get(
    `${PATH}/:dataset/:version/report`,
    { schema: reportSchema, ...ADMIN },
    async ({ params }) => versions.readReport(params.dataset, params.version),
  );
  app.get(`${PATH}/:dataset/diff`, { schema: diffSchema, ...ADMIN }, async (request) =>
    versions.compare(request.params.dataset, request.query, callOf(request).signal),
  );
  // Two colons mean a literal colon in the path of a route.
  app.post(`${PATH}::rollback`, { schema: rollbackSchema, ...ADMIN }, async (request) => {
    const {
      dataset: datasetName,
      version,
      together = false,
      acceptGrantLosses = false,
    } = request.body;
    const { number, time, datasets, grantLosses } = await versions.rollBack({
      datasetName,
      version,
      isTogether: together,
      acceptsGrantLosses: acceptGrantLosses,
    });
    const changes = switchChanges('version.rollback', datasets);
    const by = actorOf(callOf(request).caller);
    await whenUnlocked(() => store.recordVersionChanges(changes, by));
    return { switch: number, time, datasets, grantLosses };
  });
}
