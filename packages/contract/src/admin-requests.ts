import { type Static, Type } from 'typebox';
import { FilterClauseSchema } from './catalog-requests.ts';
import { SearchMetricValuesRequestSchema } from './metric-requests.ts';
import { closed } from './schema-parts.ts';

/**
 * The requests of the admin interface in lowerCamelCase. An edge accepts each field in snake_case
 * too, and in a body takes `null` for absent.
 */

const organisationId = Type.String({ description: 'Its id.', examples: ['somewhere'] });
const ofOrganisation = Type.Optional(
  Type.String({ description: 'Only those of this organisation. Absent: of all.' }),
);

/** Of a request that has no parameters. */
export const AdminNothingSchema = closed({});
/** Of a list that can be of one organisation. */
export const AdminListQuerySchema = closed({ organisationId: ofOrganisation });

export const AdminOrganisationAddressSchema = Type.Object({ organisationId });
/** Ids alone: the text of a token belongs in no address. */
export const AdminTokenAddressSchema = Type.Object({
  tokenId: Type.String({ description: 'The id of the token.', pattern: '^[0-9a-v]{12}$' }),
});
export const AdminGrantAddressSchema = Type.Object({
  grantId: Type.String({ description: 'The id of the grant.' }),
});

export const AdminCreateOrganisationSchema = closed(
  {
    name: Type.String({ description: 'Its name for people.' }),
    id: Type.Optional(
      Type.String({ description: 'The billing context of its requests. Absent: a new one.' }),
    ),
  },
  { examples: [{ name: 'City of Somewhere', id: 'somewhere' }] },
);

export const AdminCreateTokenSchema = closed(
  {
    organisationId,
    name: Type.String({ description: 'What the token is for.' }),
    scopes: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 10,
        description: 'What it may be used for. Absent: catalog, metrics and usage.',
        examples: [['catalog', 'metrics', 'usage']],
      }),
    ),
    expiresAfter: Type.Optional(
      Type.String({ description: 'How long it works, such as 90d or 24h. Absent: no end.' }),
    ),
  },
  { examples: [{ organisationId: 'somewhere', name: 'reports', expiresAfter: '90d' }] },
);

export const AdminRotateTokenSchema = closed(
  {
    overlap: Type.Optional(
      Type.String({ description: 'How long the old token goes on to work. Absent: 24h.' }),
    ),
  },
  { examples: [{ overlap: '24h' }] },
);

const {
  observationPeriodFilter,
  addressComponentFilter,
  dimensionFilter,
  featureFilter,
  relatedAddressComponentFilter,
  relatedFeatureFilter,
} = SearchMetricValuesRequestSchema.properties;
const day = (description: string) => Type.Optional(Type.String({ description }));

export const AdminAddGrantSchema = closed(
  {
    organisationId,
    pattern: Type.String({
      description:
        'What it is a grant of: product.dataset or catalog/metric, with a star at the end for any rest.',
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
          'The fields that are seen; of metrics the values, dimensions, flags and components of both layers. Absent: all.',
      }),
    ),
    observationPeriodFilter,
    addressComponentFilter,
    dimensionFilter,
    featureFilter,
    relatedAddressComponentFilter,
    relatedFeatureFilter,
    from: day('The first day (UTC) on which it holds, YYYY-MM-DD. Absent: at once.'),
    until: day('The last one. Absent: it has no end.'),
    showsSmallCells: Type.Optional(
      Type.Boolean({ description: 'Whether small cells are shown that the dataset suppresses.' }),
    ),
    liftsDefaultFilters: Type.Optional(
      Type.Boolean({
        description: 'Whether a request that names a component replaces the default filter on it.',
      }),
    ),
  },
  {
    examples: [
      {
        organisationId: 'somewhere',
        pattern: 'ml_visitation.places',
        filters: [{ fieldName: 'region', operator: '==', value: 'CA' }],
        until: '2099-12-31',
      },
    ],
  },
);
export type AdminAddGrant = Static<typeof AdminAddGrantSchema>;

const limit = (description: string) => Type.Optional(Type.Number({ description }));

export const AdminSetLimitsSchema = closed(
  {
    requestsPerSecond: limit('Requests a second in the long run.'),
    burst: limit('How many may come at once beyond it.'),
    rowsPerDay: limit('Rows of answers in a day, UTC.'),
    rowsPerMonth: limit('Rows of answers in a calendar month, UTC.'),
    concurrentQueries: limit('Requests that are answered at the same time.'),
  },
  {
    description: 'All limits of the organisation: one that is absent, or 0, is no limit.',
    examples: [{ requestsPerSecond: 10, burst: 50, rowsPerMonth: 5_000_000 }],
  },
);

export const AdminAuditQuerySchema = closed({
  organisationId: ofOrganisation,
  since: day('Changes from this day (UTC) on, YYYY-MM-DD. Absent: all.'),
  pageSize: Type.Optional(
    Type.Integer({ description: 'How many at most. Absent or 0: 100; above 1,000: 1,000.' }),
  ),
  pageToken: Type.Optional(Type.String({ description: 'nextPageToken of the page before.' })),
});
