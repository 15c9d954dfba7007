import {
  ADMIN_GRANT_VALUES_MAX,
  ADMIN_PREVIEW_ROWS_MAX,
  AdminCheckGrantValuesAnswerSchema,
  AdminCheckGrantValuesSchema,
  type AdminPreviewed,
  AdminPreviewGetDataReferenceSchema,
  AdminPreviewListDataReferencesSchema,
  AdminPreviewListRecordsSchema,
  AdminSearchGrantValuesAnswerSchema,
  AdminSearchGrantValuesSchema,
  GetDataReferenceResponseSchema,
  ListDataReferencesResponseSchema,
  ListRecordsResponseSchema,
} from '@locmetrics/contract';
import type { GrantTerms } from '@locmetrics/core/domain/grant';
import { toCheckedValueAnswer } from '@locmetrics/core/encoding/control-entries';
import {
  encodeDataReference,
  encodeDataReferences,
} from '@locmetrics/core/encoding/data-reference';
import { encodeRecordsPage } from '@locmetrics/core/encoding/records-json';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { readRights } from '../../../../auth/read-rights.ts';
import { getDataReference, listDataReferences } from '../../../../service/describe-datasets.ts';
import { listRecords } from '../../../../service/list-records.ts';
import type { Call } from '../../../../service/service-context.ts';
import { readGetDataReference } from '../../request/read-get-data-reference.ts';
import { readGrantTerms } from '../../request/read-grant-terms.ts';
import { readListRecords } from '../../request/read-row-selection.ts';
import { stateOf } from '../../request/request-state.ts';
import { operationRoute, type Route, route } from '../route.ts';
import type { RouteContext } from '../route-context.ts';

const common = {
  access: 'admin',
  description:
    'Returns what a token of the organisation gets now, with the same errors. With `grant`, returns what it would get if it also had that grant: the grant is checked but not added, and its start and end are ignored. `replacedGrantId` leaves out a grant of the organisation, such as the one that `grant` would replace. Nothing counts as usage, and limits do not apply.',
  refusals: [404, 409, 504],
} as const;

const ofValues = { access: 'admin', refusals: [504] } as const;

export const previewRoutes: readonly Route[] = [
  operationRoute(
    {
      ...common,
      operationId: 'previewListDataReferences',
      at: 'POST /v1/admin/preview/listDataReferences',
      summary: 'List the datasets as an organisation sees them',
      answer: ListDataReferencesResponseSchema,
      body: AdminPreviewListDataReferencesSchema,
    },
    {
      read: ({ body, call, context }) => {
        const { billingContext = '' } = body;
        return { own: callAs(body, call, context), billingContext };
      },
      run: (service, { own, ...asked }) => listDataReferences(service, asked, own),
      encode: encodeDataReferences,
    },
  ),
  operationRoute(
    {
      ...common,
      operationId: 'previewGetDataReference',
      at: 'POST /v1/admin/preview/getDataReference',
      summary: 'Describe one dataset as an organisation sees it',
      answer: GetDataReferenceResponseSchema,
      body: AdminPreviewGetDataReferenceSchema,
    },
    {
      read: ({ body, call, context, request }) => {
        const own = callAs(body, call, context);
        return { own, ...readGetDataReference(body, stateOf(request)) };
      },
      run: (service, { own, ...asked }) => getDataReference(service, asked, own),
      encode: encodeDataReference,
    },
  ),
  operationRoute(
    {
      ...common,
      operationId: 'previewListRecords',
      at: 'POST /v1/admin/preview/listRecords',
      summary: 'List the records of a dataset as an organisation sees them',
      answer: ListRecordsResponseSchema,
      body: AdminPreviewListRecordsSchema,
    },
    {
      read: ({ body, call, context }) => {
        const own = callAs(body, call, context);
        const { pageSize: sent = 0, ...rest } = body;
        const pageSize = Math.min(sent, ADMIN_PREVIEW_ROWS_MAX);
        return { own, ...readListRecords({ ...rest, pageSize }) };
      },
      run: (service, { own, ...asked }) => listRecords(service, asked, own),
      rowsOf: ({ size }) => size,
      encode: encodeRecordsPage,
    },
  ),
  route(
    {
      ...ofValues,
      operationId: 'checkGrantValues',
      at: 'POST /v1/admin/preview/checkGrantValues',
      summary: 'Count the records of each value that a grant names',
      description:
        'Checks a grant against the published data without adding it, and returns the number of records of each value. A value that matches nothing has `rowCount` 0, and is probably misspelt: `nearest` is the closest published value. Values that a filter excludes are listed too.',
      answer: AdminCheckGrantValuesAnswerSchema,
      body: AdminCheckGrantValuesSchema,
    },
    async ({ service }, { body, call }) => {
      const terms = withinMember('/grant', () => {
        const read = readGrantTerms(body.grant);
        service.checkGrant(read);
        return read;
      });
      const values = await service.grantValues.check(terms, call.signal);
      return { values: values.map(toCheckedValueAnswer) };
    },
  ),
  route(
    {
      ...ofValues,
      operationId: 'searchGrantValues',
      at: 'POST /v1/admin/preview/searchGrantValues',
      summary: 'Search the values that a grant can name',
      description:
        'Returns the published values of a field, component or dimension, or the features, of the datasets or metrics that the pattern matches now, each with its number of records. The best matches come first.',
      answer: AdminSearchGrantValuesAnswerSchema,
      body: AdminSearchGrantValuesSchema,
    },
    async ({ service }, { body, call }) => {
      const { pattern, member, name = '', query = '', pageSize = 0 } = body;
      const limit = Math.min(pageSize === 0 ? VALUES_DEFAULT : pageSize, ADMIN_GRANT_VALUES_MAX);
      const search = { pattern, member, name, query, limit };
      const values = await service.grantValues.search(search, call.signal);
      return { values: values.map(({ rowCount = null, ...value }) => ({ ...value, rowCount })) };
    },
  ),
];

const VALUES_DEFAULT = 20;

/** The call as a token of the organisation would make it. */
function callAs(
  { organisationId, grant, replacedGrantId: replaced = '' }: AdminPreviewed,
  { caller, signal }: Call,
  context: RouteContext,
): Call {
  const { store } = context;
  if (store.getOrganisation(organisationId).suspended !== undefined) {
    throw new ServiceError(
      'ORGANISATION_SUSPENDED',
      `The organisation '${organisationId}' is suspended.`,
      { hint: 'Its tokens are refused in this way. Resume it to see what they get.' },
    );
  }
  const replacedGrantId = replaced === '' ? undefined : replaced;
  const added =
    grant &&
    withinMember('/grant', () =>
      checkedTerms({ organisationId, replacedGrantId }, readGrantTerms(grant), context),
    );
  const rights = readRights(store, organisationId, { added, replacedGrantId });
  return { caller: { ...caller, organisationId, rights }, signal };
}

/** Refuses a grant that could not be added. */
function checkedTerms(
  {
    organisationId,
    replacedGrantId,
  }: { readonly organisationId: string; readonly replacedGrantId: string | undefined },
  terms: GrantTerms,
  { store, service }: Pick<RouteContext, 'store' | 'service'>,
): GrantTerms {
  service.checkGrant(terms);
  store.checkNewGrant(organisationId, terms, replacedGrantId);
  return terms;
}

/** Runs work on a member of a body. The places of its errors are within the member; here they get its pointer. */
function withinMember<Result>(pointer: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const known = error instanceof ControlError ? error.toServiceError() : error;
    if (!(known instanceof ServiceError)) throw known;
    const { reason, message, hint, cause } = known;
    const details = known.details.map((one) => ({ ...one, pointer: `${pointer}${one.pointer}` }));
    throw new ServiceError(reason, message, { hint, details, cause });
  }
}
