import { type Static, Type } from 'typebox';
import { nextPageToken } from './paging.ts';
import { closed, nullable, time } from './schema-parts.ts';

/** The answers of the admin interface. */

const day = Type.String({ format: 'date', description: 'YYYY-MM-DD', examples: ['2026-12-31'] });
const texts = Type.Array(Type.String());

const AdminOrganisationSchema = closed(
  {
    id: Type.String({
      description: 'The billing context of its requests.',
      examples: ['somewhere'],
    }),
    name: Type.String({ examples: ['City of Somewhere'] }),
    created: time,
    suspended: Type.Union([time, Type.Null()], {
      description: 'The time since which all its tokens are refused, or null.',
    }),
  },
  { title: 'Organisation' },
);
export type AdminOrganisation = Static<typeof AdminOrganisationSchema>;
export const AdminOrganisationAnswerSchema = AdminOrganisationSchema;
export const AdminOrganisationsAnswerSchema = closed(
  {
    organisations: Type.Array(AdminOrganisationSchema),
  },
  { title: 'ListOrganisationsResponse' },
);

const AdminTokenSchema = closed(
  {
    tokenId: Type.String({ examples: ['0123456789ab'] }),
    organisationId: Type.String(),
    name: Type.String(),
    scopes: texts,
    state: Type.Enum(['active', 'expired', 'revoked']),
    created: time,
    expires: nullable(time),
    lastUsed: nullable(time),
    revoked: nullable(time),
    replacedBy: nullable(Type.String({ description: 'Id of the token that replaced it.' })),
  },
  { title: 'Token' },
);
export type AdminToken = Static<typeof AdminTokenSchema>;
export const AdminTokensAnswerSchema = closed(
  { tokens: Type.Array(AdminTokenSchema) },
  { title: 'ListTokensResponse' },
);

const created = {
  token: Type.String({
    description:
      'The text of the token. It is shown only here, because the service stores only its hash.',
  }),
  tokenId: Type.String(),
  scopes: texts,
  expires: nullable(time),
};
export const AdminTokenCreatedSchema = closed(created, { title: 'CreateTokenResponse' });
export const AdminTokenRotatedSchema = closed(
  {
    ...created,
    replaced: closed({ tokenId: Type.String(), expires: time }, { title: 'ReplacedToken' }),
  },
  { title: 'RotateTokenResponse' },
);
export const AdminTokenRevokedSchema = closed(
  { tokenId: Type.String(), revoked: time },
  { title: 'RevokeTokenResponse' },
);

const componentFilters = Type.Array(
  closed({ component: Type.String(), values: texts }, { title: 'GrantedComponents' }),
);
const value = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] });

const grantMembers = {
  grantId: Type.String({ examples: ['0123456789ab'] }),
  organisationId: Type.String(),
  pattern: Type.String({ examples: ['ml_visitation.*'] }),
  created: time,
  from: nullable(day),
  until: nullable(day),
  filters: Type.Array(
    closed(
      {
        fieldName: Type.String(),
        operator: Type.String(),
        value,
        values: Type.Array(value),
      },
      { title: 'GrantedFilter' },
    ),
  ),
  fields: nullable(texts),
  observationPeriodFilter: closed(
    { start: Type.Optional(day), end: Type.Optional(day) },
    { title: 'GrantedPeriod' },
  ),
  addressComponentFilter: componentFilters,
  dimensionFilter: Type.Array(
    closed({ dimensionId: Type.String(), values: texts }, { title: 'GrantedDimension' }),
  ),
  featureFilter: texts,
  relatedAddressComponentFilter: componentFilters,
  relatedFeatureFilter: texts,
  showsSmallCells: Type.Boolean(),
  liftsDefaultFilters: Type.Boolean(),
};
const AdminGrantSchema = closed(grantMembers, { title: 'Grant' });
export type AdminGrant = Static<typeof AdminGrantSchema>;
export const AdminGrantAnswerSchema = closed(
  { grant: AdminGrantSchema },
  { title: 'RemoveGrantResponse' },
);
const grantAdded = {
  grant: AdminGrantSchema,
  names: Type.Array(Type.String(), {
    description: 'The datasets and metrics that the pattern matches now.',
  }),
};
export const AdminGrantAddedSchema = closed(grantAdded, { title: 'AddGrantResponse' });
export const AdminGrantReplacedSchema = closed(
  { ...grantAdded, before: AdminGrantSchema },
  { title: 'ReplaceGrantResponse' },
);

const grantValueCount = (description: string) => nullable(Type.Integer({ description }));

const AdminCheckedGrantValueSchema = closed(
  {
    pointer: Type.String({ description: 'The place of the value in the grant.' }),
    member: Type.String({ description: 'The member of the grant that lists the value.' }),
    name: Type.String({
      description: 'The field, component or dimension; empty for a feature.',
    }),
    operator: Type.String({ description: 'The operator of a filter; empty for other members.' }),
    value: Type.String(),
    rowCount: grantValueCount(
      'How many records have the value, or match the filter; 0 if the value matches nothing. null: it matches some, but they were not counted, because the grant has more than 200 values.',
    ),
    nearest: nullable(
      Type.String({
        description: 'The published value that was probably meant, if the value matches nothing.',
      }),
    ),
  },
  { title: 'CheckedGrantValue' },
);
export type AdminCheckedGrantValue = Static<typeof AdminCheckedGrantValueSchema>;
export const AdminCheckGrantValuesAnswerSchema = closed(
  {
    values: Type.Array(AdminCheckedGrantValueSchema),
  },
  { title: 'CheckGrantValuesResponse' },
);

export const AdminSearchGrantValuesAnswerSchema = closed(
  {
    values: Type.Array(
      closed(
        {
          value: Type.String(),
          name: Type.String({ description: 'The name of the value; empty if it has none.' }),
          rowCount: grantValueCount('How many records have the value. Null for names.'),
        },
        { title: 'GrantableValue' },
      ),
    ),
  },
  { title: 'SearchGrantValuesResponse' },
);

const AdminFittedGrantSchema = closed(
  {
    ...grantMembers,
    state: Type.Unsafe<'fits' | 'misfit' | 'names_nothing' | 'ended'>({
      type: 'string',
      enum: ['fits', 'misfit', 'names_nothing', 'ended'],
      description:
        'fits: everything that the grant names is published now. misfit: something is not. names_nothing: the pattern matches nothing. ended: its last day has passed.',
    }),
    fits: Type.Array(
      closed(
        {
          name: Type.String({ description: 'A dataset or metric that the pattern matches now.' }),
          isSeen: Type.Boolean({ description: 'True if the grant gives access to any of it.' }),
          problems: Type.Array(Type.String(), {
            description: 'The parts of the grant that do not match it, described in sentences.',
          }),
        },
        { title: 'GrantFit' },
      ),
    ),
  },
  { title: 'FittedGrant' },
);
export type AdminFittedGrant = Static<typeof AdminFittedGrantSchema>;
export const AdminGrantsAnswerSchema = closed(
  { grants: Type.Array(AdminFittedGrantSchema) },
  { title: 'ListGrantsResponse' },
);

const limit = nullable(Type.Number({ description: 'null: no limit.' }));
export const AdminLimitsAnswerSchema = closed(
  {
    organisationId: Type.String(),
    requestsPerSecond: limit,
    burst: limit,
    rowsPerDay: limit,
    rowsPerMonth: limit,
    concurrentQueries: limit,
    viewedRowsPerDay: nullable(
      Type.Number({ description: 'null: as the settings of the service say.' }),
    ),
  },
  { title: 'Limits' },
);
export type AdminLimits = Static<typeof AdminLimitsAnswerSchema>;

const AdminAuditEntrySchema = closed(
  {
    entryId: Type.Integer(),
    time,
    actor: Type.Record(Type.String(), Type.String(), {
      description:
        'The author of the change: `kind` is token (with tokenId and organisationId), command line (with user), sign-in link (with linkId) or upgrade.',
    }),
    action: Type.String({ examples: ['grant.add'] }),
    organisationId: Type.String({ description: 'The organisation that was changed.' }),
    subject: Type.String({ description: 'The id of what was changed.' }),
    details: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'AuditEntry' },
);
export type AdminAuditEntry = Static<typeof AdminAuditEntrySchema>;
export const AdminAuditAnswerSchema = closed(
  {
    entries: Type.Array(AdminAuditEntrySchema, { description: 'Newest first.' }),
    nextPageToken,
  },
  { title: 'ListAuditResponse' },
);

const AdminExplainedQuerySchema = closed(
  {
    plan: Type.Enum([
      'records',
      'batch',
      'count',
      'distinct',
      'named_values',
      'named_values_count',
      'extent',
      'tile',
      'groups',
    ]),
    dataset: Type.String({ examples: ['ml_visitation.places'] }),
    version: Type.String(),
    filters: Type.Array(Type.String(), {
      description: 'Each filter as its operator and field, without values.',
      examples: [['== region']],
    }),
    rights: Type.Array(Type.String(), {
      description:
        'The filters that the rights of the caller add, and the fields whose small values are withheld.',
      examples: [['in city (2 values)', 'withheld visits']],
    }),
    groups: nullable(
      Type.Array(Type.String(), {
        description: 'The fields by which records are grouped, with their buckets.',
        examples: [['city', 'start by MONTH']],
      }),
    ),
    aggregates: nullable(
      Type.Array(Type.String(), {
        description: 'Each aggregation and its field.',
        examples: [['SUM visits']],
      }),
    ),
    order: Type.Array(Type.String(), {
      description: 'The fields that the order uses, with their direction.',
      examples: [['key asc']],
    }),
    steps: Type.Array(Type.String(), {
      description:
        'The comparison, the order and the rank of the groups of a metric, in this query or after it. Empty for other queries.',
      examples: [
        ['compare with PREVIOUS', 'order by sum_visits.percent desc', 'rank by sum_visits'],
      ],
    }),
    fields: nullable(Type.Integer({ description: 'The number of fields.' })),
    pageSize: nullable(Type.Integer({ description: 'The maximum number of rows.' })),
    isLaterPage: nullable(Type.Boolean({ description: 'True if there is a previous page.' })),
    store: Type.Unsafe<'rows' | 'columns'>({
      type: 'string',
      enum: ['rows', 'columns'],
      description: 'The store that answers the query: the row store or the column store.',
    }),
    access: Type.String({
      description: 'How the row store finds, or would find, the records.',
      examples: ['series (1 values)'],
    }),
    boundUs: nullable(
      Type.Integer({
        description:
          'An estimated upper bound of the time of the row store, in microseconds. null: no bound is known.',
      }),
    ),
    reason: Type.String({ description: 'Why this store answers, as a sentence.' }),
    onlyIf: Type.Array(Type.String(), {
      description: 'The query runs only if all of these sentences are true. Empty: it always runs.',
    }),
  },
  { title: 'ExplainedQuery' },
);
export type AdminExplainedQuery = Static<typeof AdminExplainedQuerySchema>;
export const AdminExplainAnswerSchema = closed(
  {
    queries: Type.Array(AdminExplainedQuerySchema, {
      description: 'The queries that the request would run, in order.',
    }),
  },
  { title: 'ExplainResponse' },
);
export type AdminExplainAnswer = Static<typeof AdminExplainAnswerSchema>;

const count = Type.Integer();
const version = Type.String({ examples: ['20260101T000000000Z-0123456789ab'] });
const dataset = Type.String({ examples: ['ml_visitation.places'] });
const counted = <Item extends Parameters<typeof Type.Array>[0]>(item: Item, title: string) =>
  closed({ count, examples: Type.Array(item) }, { title });

export const AdminVersionsAnswerSchema = closed(
  {
    versions: Type.Array(
      closed(
        {
          dataset,
          version,
          state: Type.Enum(['current', 'kept', 'withdrawn']),
          publishedTime: time,
          rowCount: nullable(count),
          bytes: nullable(count),
          withdrawnTime: nullable(time),
          notices: nullable(texts),
        },
        { title: 'ListedVersion' },
      ),
      {
        description:
          'By dataset, newest first. The counts and notices of removed data are null, and so are the notices of a publish by an earlier release.',
      },
    ),
    history: Type.Array(
      closed(
        {
          dataset,
          version,
          since: time,
          until: nullable(time),
          by: Type.String({ examples: ['publish'] }),
          switch: Type.Integer({ description: 'Grows with each switch.' }),
        },
        { title: 'HistoryEntry' },
      ),
      { description: 'The times at which each version was current, latest first.' },
    ),
    metricVersions: Type.Array(
      closed(
        {
          metric: Type.String({ examples: ['nps/foot_traffic_monthly'] }),
          version,
          state: Type.Enum(['current', 'kept']),
          madeOf: Type.Array(closed({ dataset, version }, { title: 'MetricPart' }), {
            description: 'The versions of its datasets: first of its values, then of its layers.',
          }),
        },
        { title: 'ListedMetricVersion' },
      ),
      {
        description:
          'The versions of metrics in responses, by metric, newest first, each with the dataset versions that it is made of.',
      },
    ),
  },
  { title: 'ListVersionsResponse' },
);

const SchemaChangeSchema = closed(
  {
    change: Type.String({ description: 'A sentence.' }),
    isBreaking: Type.Boolean({
      description:
        'True if a request that was valid is now refused, or answered with a different kind of values.',
    }),
  },
  { title: 'SchemaChange' },
);

const GrantLossSchema = closed(
  {
    organisationId: Type.String(),
    grantId: Type.String(),
    pattern: Type.String(),
    name: Type.String({ description: 'The dataset or metric.' }),
    isSeen: Type.Boolean({ description: 'True if a part of it stays visible.' }),
    problems: texts,
  },
  { title: 'GrantLoss' },
);

const GroupChangesSchema = closed(
  {
    field: Type.String(),
    count,
    appeared: counted(Type.String(), 'ListedGroups'),
    vanished: counted(Type.String(), 'ListedGroups'),
    changed: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The number of groups of both versions whose records or measures differ. Absent in reports of earlier releases.',
      }),
    ),
    jumped: counted(
      closed(
        {
          of: Type.String(),
          field: nullable(Type.String()),
          before: nullable(Type.Number()),
          after: nullable(Type.Number()),
          comparedWith: nullable(Type.String()),
        },
        { title: 'Jump' },
      ),
      'ListedJumps',
    ),
    jumpPercent: Type.Number(),
  },
  { title: 'GroupChanges' },
);

const beforeAndAfter = { before: nullable(Type.Number()), after: nullable(Type.Number()) };

const MeasureTotalsSchema = closed(
  {
    field: Type.String(),
    overall: nullable(closed(beforeAndAfter, { title: 'OverallTotal' })),
    periods: counted(
      closed({ of: Type.String(), ...beforeAndAfter }, { title: 'Total' }),
      'ListedTotals',
    ),
    features: counted(
      closed({ of: Type.String(), ...beforeAndAfter }, { title: 'Total' }),
      'ListedTotals',
    ),
  },
  { title: 'MeasureTotals' },
);

export const AdminReportAnswerSchema = closed(
  {
    format: Type.Integer(),
    dataset,
    version,
    publishedTime: time,
    mode: Type.Enum(['replace', 'append', 'replace-period']),
    replacedPeriod: nullable(closed({ start: day, end: day }, { title: 'ReplacedPeriod' })),
    before: nullable(version),
    rowCountBefore: nullable(count),
    schema: Type.Array(SchemaChangeSchema),
    grantLosses: Type.Array(GrantLossSchema),
    rows: closed(
      {
        read: count,
        kept: count,
        rejected: count,
        carriedOver: count,
        replaced: count,
        total: count,
      },
      { title: 'RowCounts' },
    ),
    rejected: Type.Array(
      closed(
        { field: nullable(Type.String()), reason: Type.String(), count, examples: texts },
        { title: 'RejectedRows' },
      ),
    ),
    fields: Type.Array(
      closed(
        {
          name: Type.String(),
          type: Type.String(),
          absent: count,
          least: nullable(Type.String()),
          greatest: nullable(Type.String()),
        },
        { title: 'FieldSummary' },
      ),
    ),
    periods: nullable(GroupChangesSchema),
    features: nullable(GroupChangesSchema),
    totals: Type.Optional(
      Type.Array(MeasureTotalsSchema, {
        description:
          'The sums of the measures that can be added up, before and after: over all records, of the periods that differ, and of the features that changed most in corrected periods. Absent in reports of earlier releases.',
      }),
    ),
    unmatchedRecords: Type.Optional(
      Type.Array(
        closed(
          {
            metrics: texts,
            dataset,
            field: Type.String(),
            layer: Type.String(),
            absent: count,
            unknown: counted(Type.String(), 'ListedGroups'),
          },
          { title: 'UnmatchedRecords' },
        ),
      ),
    ),
    notices: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Notices for the data owner, for example about columns that no field uses. Absent in reports of earlier releases.',
      }),
    ),
    acceptedNotices: Type.Optional(
      Type.Array(
        closed({ notice: Type.String(), reason: Type.String() }, { title: 'AcceptedNotice' }),
        {
          description:
            'The notices that the manifest accepts, with its reasons. Absent in reports of earlier releases.',
        },
      ),
    ),
    notCompared: Type.Array(
      closed(
        { what: Type.Enum(['periods', 'features']), reason: Type.String() },
        { title: 'NotCompared' },
      ),
    ),
    durationMs: Type.Number(),
    rowsPerSecond: Type.Number(),
  },
  {
    title: 'PublishReport',
    description:
      'The rows that a publish read, left out and changed. The report is stored with the version.',
  },
);

const recordKey = { key: Type.Record(Type.String(), Type.String()) };

export const AdminDiffAnswerSchema = closed(
  {
    dataset,
    before: version,
    after: version,
    isBreaking: Type.Boolean({ description: 'True if a change of the schema breaks callers.' }),
    schema: Type.Array(SchemaChangeSchema),
    rows: nullable(
      closed(
        { added: count, removed: count, changed: count, same: count },
        { title: 'ComparedRows' },
      ),
    ),
    changedFields: Type.Array(
      closed({ field: Type.String(), rows: count }, { title: 'ChangedField' }),
    ),
    examples: closed(
      {
        added: Type.Array(closed(recordKey, { title: 'RecordKey' })),
        removed: Type.Array(closed(recordKey, { title: 'RecordKey' })),
        changed: Type.Array(
          closed(
            {
              ...recordKey,
              fields: Type.Array(
                closed(
                  {
                    field: Type.String(),
                    before: nullable(Type.String()),
                    after: nullable(Type.String()),
                  },
                  { title: 'ChangedValue' },
                ),
              ),
            },
            { title: 'ChangedRecord' },
          ),
        ),
      },
      { title: 'ComparedExamples', description: 'The first records of each kind.' },
    ),
  },
  { title: 'DiffResponse', description: 'rows is null if the keys differ.' },
);

export const AdminSwitchAnswerSchema = closed(
  {
    switch: Type.Integer({ description: 'Grows with each switch.' }),
    time,
    datasets: Type.Array(
      closed({ dataset, before: nullable(version), version }, { title: 'SwitchedDataset' }),
    ),
    grantLosses: Type.Array(GrantLossSchema),
  },
  { title: 'RollBackResponse' },
);
