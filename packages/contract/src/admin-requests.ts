import { type Static, Type } from 'typebox';
import {
  FilterClauseSchema,
  GetDataReferenceRequestSchema,
  GetLayerStatsRequestSchema,
  ListDataReferencesRequestSchema,
  ListRecordsRequestSchema,
  ListRecordsStatisticsRequestSchema,
  SearchFieldValuesRequestSchema,
} from './catalog-requests.ts';
import { SearchMetricAggregatesRequestSchema } from './metric-aggregates.ts';
import { SearchMetricValuesRequestSchema } from './metric-requests.ts';
import { pageToken } from './paging.ts';
import { CHECKED_LATER, closed, hasOneOf } from './schema-parts.ts';

/**
 * The requests of the admin interface in lowerCamelCase. An edge also accepts each field in
 * snake_case. In a body, `null` means absent.
 */

const organisationId = Type.String({
  description: 'Id of the organisation.',
  examples: ['demo'],
});
const ofOrganisation = Type.Optional(
  Type.String({ description: 'Only those of this organisation. Absent: all.' }),
);

/** A request without query parameters. */
export const AdminNothingSchema = closed({});
export const AdminRevokeTokenSchema = closed({}, { title: 'RevokeTokenRequest' });
/** The parameters of a list that can be restricted to one organisation. */
export const AdminListQuerySchema = closed({ organisationId: ofOrganisation });

export const AdminOrganisationAddressSchema = Type.Object({ organisationId });
/** Only ids are accepted: the text of a token must not appear in a URL. */
export const AdminTokenAddressSchema = Type.Object({
  tokenId: Type.String({ description: 'The id of the token.', pattern: '^[0-9a-v]{12}$' }),
});
export const AdminGrantAddressSchema = Type.Object({
  grantId: Type.String({ description: 'The id of the grant.' }),
});

export const AdminCreateOrganisationSchema = closed(
  {
    name: Type.String({ description: 'Display name of the organisation.' }),
    id: Type.Optional(
      Type.String({
        description: 'The billing context of its requests. Absent: a generated id.',
      }),
    ),
  },
  { title: 'CreateOrganisationRequest' },
);

export const AdminSuspendOrganisationSchema = closed({}, { title: 'SuspendOrganisationRequest' });
export const AdminResumeOrganisationSchema = closed({}, { title: 'ResumeOrganisationRequest' });

export const AdminCreateTokenSchema = closed(
  {
    organisationId,
    name: Type.String({ description: 'The purpose of the token.' }),
    scopes: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 10,
        description:
          'The scopes of the token: catalog, metrics, usage, operate, admin. Absent: catalog, metrics and usage.',
        examples: [['catalog', 'metrics', 'usage']],
      }),
    ),
    expiresAfter: Type.Optional(
      Type.String({
        description: 'How long the token is valid, such as 90d or 24h. Absent: it does not expire.',
      }),
    ),
  },
  { title: 'CreateTokenRequest' },
);

export const AdminRotateTokenSchema = closed(
  {
    overlap: Type.Optional(
      Type.String({ description: 'How long the old token stays valid. Absent: 24h.' }),
    ),
  },
  { title: 'RotateTokenRequest' },
);

const {
  observationPeriodFilter,
  addressComponentFilter,
  dimensionFilter,
  featureFilter,
  relatedAddressComponentFilter,
  relatedFeatureFilter,
} = SearchMetricValuesRequestSchema.properties;
const day = (description: string) =>
  Type.Optional(Type.String({ description, [CHECKED_LATER]: { format: 'date' } }));

const grantTerms = {
  pattern: Type.String({
    description:
      'The datasets or metrics that are granted: product.dataset or catalog/metric. A * at the end stands for any text.',
    examples: ['ml_visitation.*'],
  }),
  filters: Type.Optional(
    Type.Array(FilterClauseSchema, {
      maxItems: 100,
      description: 'Only records that match all of them.',
    }),
  ),
  fields: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 1000,
      description:
        'The visible fields; for metrics the visible values, dimensions, flags and components of both layers. Absent: all.',
    }),
  ),
  observationPeriodFilter,
  addressComponentFilter,
  dimensionFilter,
  featureFilter,
  relatedAddressComponentFilter,
  relatedFeatureFilter,
  from: day('The first day (UTC) of the grant, YYYY-MM-DD. Absent: it starts at once.'),
  until: day('The last day (UTC) of the grant, YYYY-MM-DD. Absent: it has no end.'),
  showsSmallCells: Type.Optional(
    Type.Boolean({ description: 'True to show the small cells that the dataset suppresses.' }),
  ),
  liftsDefaultFilters: Type.Optional(
    Type.Boolean({
      description: 'True if a request that names a component replaces the default filter on it.',
    }),
  ),
};

export const AdminAddGrantSchema = closed(
  { organisationId, ...grantTerms },
  { title: 'AddGrantRequest' },
);
export const AdminReplaceGrantSchema = closed(grantTerms, { title: 'ReplaceGrantRequest' });
const AdminGrantTermsSchema = closed(grantTerms, {
  title: 'GrantTerms',
  description: 'A grant of the organisation, as in a request to add it.',
});
export type AdminGrantTerms = Static<typeof AdminGrantTermsSchema>;

const limit = (description: string) =>
  Type.Optional(Type.Number({ description, [CHECKED_LATER]: { minimum: 0 } }));

export const AdminSetLimitsSchema = closed(
  {
    requestsPerSecond: limit('Average number of requests per second.'),
    burst: limit('How many requests may arrive at once.'),
    rowsPerDay: limit('Rows of answers in a day, UTC.'),
    rowsPerMonth: limit('Rows of answers in a calendar month, UTC.'),
    concurrentQueries: limit('Requests that are answered at the same time.'),
    viewedRowsPerDay: limit(
      'Rows that it may look at in a day (UTC) besides its limits of rows. Absent or 0: as the settings of the service say.',
    ),
  },
  {
    title: 'SetLimitsRequest',
    description: 'All limits of the organisation. A limit that is absent or 0 is removed.',
  },
);

export const AdminAuditQuerySchema = closed({
  organisationId: ofOrganisation,
  since: day('Only changes from this day (UTC) on, YYYY-MM-DD. Absent: all.'),
  pageSize: Type.Optional(
    Type.Integer({
      description:
        'Maximum number of entries. Absent or 0: 100. At most 1,000; a negative number is an error.',
      examples: [100],
      [CHECKED_LATER]: { minimum: 0 },
    }),
  ),
  pageToken,
});

const explained = {
  organisationId: Type.Optional(
    Type.String({ description: 'Id of the organisation whose rights apply. Absent: your own.' }),
  ),
};

export const AdminExplainListRecordsSchema = closed(
  { ...ListRecordsRequestSchema.properties, ...explained },
  { title: 'ExplainListRecordsRequest' },
);

export const AdminExplainSearchFieldValuesSchema = closed(
  { ...SearchFieldValuesRequestSchema.properties, ...explained },
  { title: 'ExplainSearchFieldValuesRequest' },
);

export const AdminExplainListRecordsStatisticsSchema = closed(
  { ...ListRecordsStatisticsRequestSchema.properties, ...explained },
  { title: 'ExplainListRecordsStatisticsRequest' },
);

export const AdminExplainGetLayerStatsSchema = closed(
  { ...GetLayerStatsRequestSchema.properties, ...explained },
  { title: 'ExplainGetLayerStatsRequest' },
);

export const AdminExplainSearchMetricValuesSchema = closed(
  {
    ...SearchMetricValuesRequestSchema.properties,
    catalogId: Type.String({ description: 'The catalog.', examples: ['nps'] }),
    metricId: Type.String({ description: 'The metric.', examples: ['foot_traffic_monthly'] }),
    ...explained,
  },
  {
    title: 'ExplainSearchMetricValuesRequest',
    [CHECKED_LATER]: { required: ['billingContext'] },
  },
);

export const AdminExplainSearchMetricAggregatesSchema = closed(
  {
    ...SearchMetricAggregatesRequestSchema.properties,
    catalogId: Type.String({ description: 'The catalog.', examples: ['nps'] }),
    metricId: Type.String({ description: 'The metric.', examples: ['foot_traffic_monthly'] }),
    ...explained,
  },
  {
    title: 'ExplainSearchMetricAggregatesRequest',
    [CHECKED_LATER]: { required: ['billingContext'] },
  },
);

const previewed = {
  organisationId: Type.String({
    description: 'Id of the organisation whose rights apply.',
    examples: ['demo'],
  }),
  grant: Type.Optional(AdminGrantTermsSchema),
  replacedGrantId: Type.Optional(
    Type.String({
      description:
        'The grant of the organisation that `grant` replaces. Absent or empty: `grant` is an additional one.',
    }),
  ),
};
export type AdminPreviewed = {
  readonly organisationId: string;
  readonly grant?: AdminGrantTerms;
  readonly replacedGrantId?: string;
};

export const AdminPreviewListDataReferencesSchema = closed(
  { ...ListDataReferencesRequestSchema.properties, ...previewed },
  { title: 'PreviewListDataReferencesRequest' },
);

export const AdminPreviewGetDataReferenceSchema = closed(
  { ...GetDataReferenceRequestSchema.properties, ...previewed },
  {
    title: 'PreviewGetDataReferenceRequest',
    [CHECKED_LATER]: hasOneOf('name', 'dataReferenceName'),
  },
);

export const ADMIN_PREVIEW_ROWS_MAX = 100;

export const AdminPreviewListRecordsSchema = closed(
  {
    ...ListRecordsRequestSchema.properties,
    pageSize: Type.Optional(
      Type.Integer({
        description: `How many rows to return at most. Absent or 0: 100; above ${ADMIN_PREVIEW_ROWS_MAX}: ${ADMIN_PREVIEW_ROWS_MAX}; negative: an error.`,
        examples: [100],
        [CHECKED_LATER]: { minimum: 0 },
      }),
    ),
    ...previewed,
  },
  { title: 'PreviewListRecordsRequest' },
);

export const AdminCheckGrantValuesSchema = closed(
  { grant: AdminGrantTermsSchema },
  { title: 'CheckGrantValuesRequest' },
);

const GRANT_MEMBERS = [
  'filters',
  'fields',
  'featureFilter',
  'addressComponentFilter',
  'dimensionFilter',
  'relatedFeatureFilter',
  'relatedAddressComponentFilter',
] as const;

export const ADMIN_GRANT_VALUES_MAX = 100;

export const AdminSearchGrantValuesSchema = closed(
  {
    pattern: grantTerms.pattern,
    member: Type.Unsafe<(typeof GRANT_MEMBERS)[number]>({
      type: 'string',
      enum: [...GRANT_MEMBERS],
      description: 'The member of the grant that the values are for.',
      examples: ['filters'],
    }),
    name: Type.Optional(
      Type.String({
        description:
          'The field, component or dimension. Absent: the possible names are searched instead; features and fields have none.',
        examples: ['region'],
      }),
    ),
    query: Type.Optional(
      Type.String({
        description:
          'A text that the value or its name contains, ignoring case and diacritics. Absent: all values.',
        examples: ['ca'],
      }),
    ),
    pageSize: Type.Optional(
      Type.Integer({
        description: `How many values to return at most. Absent or 0: 20; above ${ADMIN_GRANT_VALUES_MAX}: ${ADMIN_GRANT_VALUES_MAX}; negative: an error.`,
        examples: [20],
        [CHECKED_LATER]: { minimum: 0 },
      }),
    ),
  },
  { title: 'SearchGrantValuesRequest' },
);

const datasetName = Type.String({
  description: 'The name of a dataset.',
  examples: ['ml_visitation.places'],
});
const versionName = (description: string) => Type.String({ description });

export const AdminVersionsQuerySchema = closed({
  dataset: Type.Optional(Type.String({ description: 'Only those of this dataset. Absent: all.' })),
});
export const AdminVersionAddressSchema = Type.Object({
  dataset: datasetName,
  version: versionName('A version that is kept.'),
});
export const AdminDatasetAddressSchema = Type.Object({ dataset: datasetName });
export const AdminDiffQuerySchema = closed({
  from: Type.Optional(
    versionName('The earlier version. Absent: the one that was published before the later one.'),
  ),
  to: Type.Optional(versionName('The later version. Absent: the current one.')),
});

export const AdminRollbackSchema = closed(
  {
    dataset: datasetName,
    version: Type.Optional(
      versionName('The version to switch to. Absent: the one that was current before.'),
    ),
    together: Type.Optional(
      Type.Boolean({
        description: 'True to also switch back the datasets that were published together.',
      }),
    ),
    acceptGrantLosses: Type.Optional(
      Type.Boolean({
        description: 'True to switch even if grants lose data that they name.',
      }),
    ),
  },
  { title: 'RollBackRequest' },
);
