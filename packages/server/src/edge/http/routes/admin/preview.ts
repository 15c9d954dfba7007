import {
  ADMIN_PREVIEW_ROWS_MAX,
  type AdminPreviewed,
  AdminPreviewGetDataReferenceSchema,
  AdminPreviewListDataReferencesSchema,
  AdminPreviewListRecordsSchema,
  GetDataReferenceResponseSchema,
  ListDataReferencesResponseSchema,
  ListRecordsResponseSchema,
} from '@locmetrics/contract';
import type { FastifyRequest } from 'fastify';
import { readRights } from '../../../../auth/read-rights.ts';
import type { GrantTerms } from '../../../../domain/grant.ts';
import { ServiceError } from '../../../../domain/service-error.ts';
import { encodeDataReference, encodeDataReferences } from '../../../../encoding/data-reference.ts';
import { encodeRecordsPage } from '../../../../encoding/records-json.ts';
import { getDataReference } from '../../../../service/get-data-reference.ts';
import { listDataReferences } from '../../../../service/list-data-references.ts';
import { listRecords } from '../../../../service/list-records.ts';
import type { Call } from '../../../../service/service-context.ts';
import { encodeUnrecorded } from '../../answer/encode-answer.ts';
import type { HttpApp } from '../../http-app.ts';
import { describedRoute } from '../../openapi/route-description.ts';
import { readGetDataReference } from '../../request/read-get-data-reference.ts';
import { readGrantTerms } from '../../request/read-grant-terms.ts';
import { readListRecords } from '../../request/read-row-selection.ts';
import { stateOf } from '../../request/request-state.ts';
import { withinMember } from '../../request/within-member.ts';
import type { RouteContext } from '../route-context.ts';
import { ADMIN } from './access.ts';

const common = {
  tag: 'admin',
  description:
    'The answer that a token of the organisation gets now, with the same refusals. With `grant` it is the answer that it would get if it had this grant too: the grant is checked as if it were added, but is not added, and its days are ignored. Nothing is counted as usage, and limits do not apply.',
  refusals: [404, 409, 504],
} as const;

const datasetsSchema = describedRoute(
  'previewListDataReferences',
  {
    ...common,
    summary: 'List the datasets as an organisation sees them',
    answer: ListDataReferencesResponseSchema,
  },
  { body: AdminPreviewListDataReferencesSchema },
);

const datasetSchema = describedRoute(
  'previewGetDataReference',
  {
    ...common,
    summary: 'Describe one dataset as an organisation sees it',
    answer: GetDataReferenceResponseSchema,
  },
  { body: AdminPreviewGetDataReferenceSchema },
);

const recordsSchema = describedRoute(
  'previewListRecords',
  {
    ...common,
    summary: 'List the records of a dataset as an organisation sees them',
    answer: ListRecordsResponseSchema,
  },
  { body: AdminPreviewListRecordsSchema },
);

const PATH = '/v1/admin/preview';

export function routeAdminPreview(app: HttpApp, context: RouteContext): void {
  const { service } = context;
  app.post(
    `${PATH}/listDataReferences`,
    { schema: datasetsSchema, ...ADMIN },
    async (request, reply) => {
      const { billingContext = '' } = request.body;
      const call = callAs(request, request.body, context);
      const versions = await listDataReferences(service, { billingContext }, call);
      return encodeUnrecorded(request, reply, { encode: () => encodeDataReferences(versions) });
    },
  );
  app.post(
    `${PATH}/getDataReference`,
    { schema: datasetSchema, ...ADMIN },
    async (request, reply) => {
      const call = callAs(request, request.body, context);
      const asked = readGetDataReference(request.body, stateOf(request));
      const version = await getDataReference(service, asked, call);
      return encodeUnrecorded(request, reply, { encode: () => encodeDataReference(version) });
    },
  );
  app.post(`${PATH}/listRecords`, { schema: recordsSchema, ...ADMIN }, async (request, reply) => {
    const call = callAs(request, request.body, context);
    const { pageSize = 0, ...body } = request.body;
    const asked = readListRecords({
      ...body,
      pageSize: Math.min(pageSize, ADMIN_PREVIEW_ROWS_MAX),
    });
    const result = await listRecords(service, asked, call);
    const { size } = result;
    const page = { ...result, nextPageToken: result.nextPageToken(size) };
    return encodeUnrecorded(request, reply, {
      rows: size,
      encode: () =>
        service.answers.holdRows(size, () =>
          encodeRecordsPage(page, { typedValues: asked.typedValues }),
        ),
    });
  });
}

/** The call as a token of the organisation would make it. */
function callAs(
  request: FastifyRequest,
  { organisationId, grant }: AdminPreviewed,
  context: Pick<RouteContext, 'store' | 'service' | 'callOf'>,
): Call {
  const { store, callOf } = context;
  const { caller, signal } = callOf(request);
  if (store.getOrganisation(organisationId).suspended !== undefined) {
    throw new ServiceError(
      'ORGANISATION_SUSPENDED',
      `The organisation '${organisationId}' is suspended.`,
      { hint: 'Its tokens are refused in this way. Resume it to see what they get.' },
    );
  }
  const added =
    grant &&
    withinMember('/grant', () => checkedTerms(organisationId, readGrantTerms(grant), context));
  const rights = readRights(store, organisationId, added);
  return { caller: { ...caller, organisationId, rights }, signal };
}

/** Refuses a grant that could not be added. */
function checkedTerms(
  organisationId: string,
  terms: GrantTerms,
  { store, service }: Pick<RouteContext, 'store' | 'service'>,
): GrantTerms {
  service.checkGrant(terms);
  store.checkNewGrant(organisationId, terms);
  return terms;
}
