import {
  AdminDatasetAddressSchema,
  AdminDiffAnswerSchema,
  AdminDiffQuerySchema,
  AdminNothingSchema,
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
import { type Route, route } from '../route.ts';

export const versionRoutes: readonly Route[] = [
  route(
    {
      operationId: 'listVersions',
      at: 'GET /v1/admin/versions',
      access: 'admin',
      summary: 'List the versions of datasets',
      description:
        'Returns the versions, the history of what was current, and the versions of the metrics that use the datasets, as `locmetrics versions --json` prints them.',
      answer: AdminVersionsAnswerSchema,
      refusals: [404],
      querystring: AdminVersionsQuerySchema,
    },
    async ({ versions }, { query }) => {
      const { versions: listed, history, metricVersions } = versions.list(query.dataset);
      return { versions: listed, history, metricVersions };
    },
  ),
  route(
    {
      operationId: 'getReport',
      at: 'GET /v1/admin/versions/:dataset/:version/report',
      access: 'admin',
      summary: 'Get the report of a publish',
      answer: AdminReportAnswerSchema,
      refusals: [404],
      params: AdminVersionAddressSchema,
      querystring: AdminNothingSchema,
    },
    async ({ versions }, { params }) => versions.readReport(params.dataset, params.version),
  ),
  route(
    {
      operationId: 'compareVersions',
      at: 'GET /v1/admin/versions/:dataset/diff',
      access: 'admin',
      summary: 'Compare two versions of a dataset',
      description:
        'Compares the schemas, and the records by key, as `locmetrics diff --json` prints them. It reads both versions completely.',
      answer: AdminDiffAnswerSchema,
      refusals: [404],
      params: AdminDatasetAddressSchema,
      querystring: AdminDiffQuerySchema,
    },
    async ({ versions }, { params, query, call }) =>
      versions.compare(params.dataset, query, call.signal),
  ),
  route(
    {
      operationId: 'rollBack',
      at: 'POST /v1/admin/versions::rollback',
      access: 'admin',
      summary: 'Roll a dataset back to a kept version',
      description:
        'The version is served from the next request on. Nothing is removed, so you can switch back again.',
      answer: AdminSwitchAnswerSchema,
      refusals: [404, 409],
      body: AdminRollbackSchema,
    },
    async ({ store, versions }, { body, call }) => {
      const { dataset: datasetName, version, together = false, acceptGrantLosses = false } = body;
      const { number, time, datasets, grantLosses } = await versions.rollBack({
        datasetName,
        version,
        isTogether: together,
        acceptsGrantLosses: acceptGrantLosses,
      });
      const changes = switchChanges('version.rollback', datasets);
      const by = actorOf(call.caller);
      await whenUnlocked(() => store.recordVersionChanges(changes, by));
      return { switch: number, time, datasets, grantLosses };
    },
  ),
];
