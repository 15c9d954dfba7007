// Made from the contract by `npm run generate`. Do not edit.

import type {
  AddGrantRequest,
  AddGrantResponse,
  CheckGrantValuesRequest,
  CheckGrantValuesResponse,
  CreateOrganisationRequest,
  CreateTokenRequest,
  CreateTokenResponse,
  DiffResponse,
  ExplainGetLayerStatsRequest,
  ExplainListRecordsRequest,
  ExplainListRecordsStatisticsRequest,
  ExplainResponse,
  ExplainSearchFieldValuesRequest,
  ExplainSearchMetricAggregatesRequest,
  ExplainSearchMetricValuesRequest,
  Limits,
  ListAuditResponse,
  ListGrantsResponse,
  ListOrganisationsResponse,
  ListTokensResponse,
  ListVersionsResponse,
  Organisation,
  PreviewGetDataReferenceRequest,
  PreviewListDataReferencesRequest,
  PreviewListRecordsRequest,
  PublishReport,
  RemoveGrantResponse,
  ReplaceGrantRequest,
  ReplaceGrantResponse,
  ResumeOrganisationRequest,
  RevokeTokenRequest,
  RevokeTokenResponse,
  RollBackRequest,
  RollBackResponse,
  RotateTokenRequest,
  RotateTokenResponse,
  SearchGrantValuesRequest,
  SearchGrantValuesResponse,
  SetLimitsRequest,
  SuspendOrganisationRequest,
} from './admin-schemas.ts';

import type {
  GetDataReferenceResponse,
  ListDataReferencesResponse,
  ListRecordsResponse,
  UsageResponse,
} from './schemas.ts';

export type AdminOperations = {
  /** Get the usage of all organisations. */
  readonly readUsageOfAll: {
    readonly path: {};
    readonly query: {
      /** The first day, YYYY-MM-DD in UTC. Absent: the first day of the month in which `to` lies. */
      readonly from?: string | undefined;
      /** The last day, included. Absent: today. A period has at most 366 days. */
      readonly to?: string | undefined;
      /** json or csv. Absent: as the header `Accept` asks, which is JSON by default. CSV has all rows, without pages. */
      readonly format?: 'json' | 'csv' | undefined;
      /** Maximum number of rows. Absent or 0: 100. At most 10,000; a negative number is an error. */
      readonly pageSize?: number | undefined;
      /** The nextPageToken of the previous page. Send the same request; only pageSize may change. */
      readonly pageToken?: string | undefined;
      /** The columns that usage is summed by: organisation, day, dataset, operation, token. Repeated, or separated by commas. Absent: organisation. */
      readonly groupBy?: readonly string[] | undefined;
      /** Only the usage of this organisation. Absent: all organisations. */
      readonly organisationId?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: UsageResponse;
  };
  /** List the organisations. */
  readonly listOrganisations: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answer: ListOrganisationsResponse;
  };
  /** Create an organisation. */
  readonly createOrganisation: {
    readonly path: {};
    readonly query: {};
    readonly body: CreateOrganisationRequest;
    readonly answer: Organisation;
  };
  /** Suspend an organisation. */
  readonly suspendOrganisation: {
    readonly path: {
      /** Id of the organisation. */
      readonly organisationId: string;
    };
    readonly query: {};
    readonly body: SuspendOrganisationRequest;
    readonly answer: Organisation;
  };
  /** Resume a suspended organisation. */
  readonly resumeOrganisation: {
    readonly path: {
      /** Id of the organisation. */
      readonly organisationId: string;
    };
    readonly query: {};
    readonly body: ResumeOrganisationRequest;
    readonly answer: Organisation;
  };
  /** List tokens, without their text. */
  readonly listTokens: {
    readonly path: {};
    readonly query: {
      /** Only those of this organisation. Absent: all. */
      readonly organisationId?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: ListTokensResponse;
  };
  /** Create a token. */
  readonly createToken: {
    readonly path: {};
    readonly query: {};
    readonly body: CreateTokenRequest;
    readonly answer: CreateTokenResponse;
  };
  /** Rotate a token. */
  readonly rotateToken: {
    readonly path: {
      /** The id of the token. */
      readonly tokenId: string;
    };
    readonly query: {};
    readonly body: RotateTokenRequest;
    readonly answer: RotateTokenResponse;
  };
  /** Revoke a token. */
  readonly revokeToken: {
    readonly path: {
      /** The id of the token. */
      readonly tokenId: string;
    };
    readonly query: {};
    readonly body: RevokeTokenRequest;
    readonly answer: RevokeTokenResponse;
  };
  /** List the grants. */
  readonly listGrants: {
    readonly path: {};
    readonly query: {
      /** Only those of this organisation. Absent: all. */
      readonly organisationId?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: ListGrantsResponse;
  };
  /** Grant an organisation datasets or metrics. */
  readonly addGrant: {
    readonly path: {};
    readonly query: {};
    readonly body: AddGrantRequest;
    readonly answer: AddGrantResponse;
  };
  /** Replace the terms of a grant. */
  readonly replaceGrant: {
    readonly path: {
      /** The id of the grant. */
      readonly grantId: string;
    };
    readonly query: {};
    readonly body: ReplaceGrantRequest;
    readonly answer: ReplaceGrantResponse;
  };
  /** Remove a grant. */
  readonly removeGrant: {
    readonly path: {
      /** The id of the grant. */
      readonly grantId: string;
    };
    readonly query: {};
    readonly body: undefined;
    readonly answer: RemoveGrantResponse;
  };
  /** Get the limits of an organisation. */
  readonly getLimits: {
    readonly path: {
      /** Id of the organisation. */
      readonly organisationId: string;
    };
    readonly query: {};
    readonly body: undefined;
    readonly answer: Limits;
  };
  /** Set all limits of an organisation. */
  readonly setLimits: {
    readonly path: {
      /** Id of the organisation. */
      readonly organisationId: string;
    };
    readonly query: {};
    readonly body: SetLimitsRequest;
    readonly answer: Limits;
  };
  /** List the audit log. */
  readonly listAudit: {
    readonly path: {};
    readonly query: {
      /** Only those of this organisation. Absent: all. */
      readonly organisationId?: string | undefined;
      /** Only changes from this day (UTC) on, YYYY-MM-DD. Absent: all. */
      readonly since?: string | undefined;
      /** Maximum number of entries. Absent or 0: 100. At most 1,000; a negative number is an error. */
      readonly pageSize?: number | undefined;
      /** The nextPageToken of the previous page. Send the same request; only pageSize may change. */
      readonly pageToken?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: ListAuditResponse;
  };
  /** List the versions of datasets. */
  readonly listVersions: {
    readonly path: {};
    readonly query: {
      /** Only those of this dataset. Absent: all. */
      readonly dataset?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: ListVersionsResponse;
  };
  /** Get the report of a publish. */
  readonly getReport: {
    readonly path: {
      /** The name of a dataset. */
      readonly dataset: string;
      /** A version that is kept. */
      readonly version: string;
    };
    readonly query: {};
    readonly body: undefined;
    readonly answer: PublishReport;
  };
  /** Compare two versions of a dataset. */
  readonly compareVersions: {
    readonly path: {
      /** The name of a dataset. */
      readonly dataset: string;
    };
    readonly query: {
      /** The earlier version. Absent: the one that was published before the later one. */
      readonly from?: string | undefined;
      /** The later version. Absent: the current one. */
      readonly to?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: DiffResponse;
  };
  /** Roll a dataset back to a kept version. */
  readonly rollBack: {
    readonly path: {};
    readonly query: {};
    readonly body: RollBackRequest;
    readonly answer: RollBackResponse;
  };
  /** Explain a request for records. */
  readonly explainListRecords: {
    readonly path: {};
    readonly query: {};
    readonly body: ExplainListRecordsRequest;
    readonly answer: ExplainResponse;
  };
  /** Explain a search for the values of a field. */
  readonly explainSearchFieldValues: {
    readonly path: {};
    readonly query: {};
    readonly body: ExplainSearchFieldValuesRequest;
    readonly answer: ExplainResponse;
  };
  /** Explain a request for the counts of each date. */
  readonly explainListRecordsStatistics: {
    readonly path: {};
    readonly query: {};
    readonly body: ExplainListRecordsStatisticsRequest;
    readonly answer: ExplainResponse;
  };
  /** Explain a request for the counts of one date. */
  readonly explainGetLayerStats: {
    readonly path: {};
    readonly query: {};
    readonly body: ExplainGetLayerStatsRequest;
    readonly answer: ExplainResponse;
  };
  /** Explain a request for the values of a metric. */
  readonly explainSearchMetricValues: {
    readonly path: {};
    readonly query: {};
    readonly body: ExplainSearchMetricValuesRequest;
    readonly answer: ExplainResponse;
  };
  /** Explain a request for aggregates of a metric. */
  readonly explainSearchMetricAggregates: {
    readonly path: {};
    readonly query: {};
    readonly body: ExplainSearchMetricAggregatesRequest;
    readonly answer: ExplainResponse;
  };
  /** List the datasets as an organisation sees them. */
  readonly previewListDataReferences: {
    readonly path: {};
    readonly query: {};
    readonly body: PreviewListDataReferencesRequest;
    readonly answer: ListDataReferencesResponse;
  };
  /** Describe one dataset as an organisation sees it. */
  readonly previewGetDataReference: {
    readonly path: {};
    readonly query: {};
    readonly body: PreviewGetDataReferenceRequest;
    readonly answer: GetDataReferenceResponse;
  };
  /** List the records of a dataset as an organisation sees them. */
  readonly previewListRecords: {
    readonly path: {};
    readonly query: {};
    readonly body: PreviewListRecordsRequest;
    readonly answer: ListRecordsResponse;
  };
  /** Count the records of each value that a grant names. */
  readonly checkGrantValues: {
    readonly path: {};
    readonly query: {};
    readonly body: CheckGrantValuesRequest;
    readonly answer: CheckGrantValuesResponse;
  };
  /** Search the values that a grant can name. */
  readonly searchGrantValues: {
    readonly path: {};
    readonly query: {};
    readonly body: SearchGrantValuesRequest;
    readonly answer: SearchGrantValuesResponse;
  };
};

/** The method and the path of each operation. */
export const ADMIN_OPERATIONS = {
  readUsageOfAll: ['GET', '/v1/admin/usage'],
  listOrganisations: ['GET', '/v1/admin/organisations'],
  createOrganisation: ['POST', '/v1/admin/organisations'],
  suspendOrganisation: ['POST', '/v1/admin/organisations/{organisationId}/suspend'],
  resumeOrganisation: ['POST', '/v1/admin/organisations/{organisationId}/resume'],
  listTokens: ['GET', '/v1/admin/tokens'],
  createToken: ['POST', '/v1/admin/tokens'],
  rotateToken: ['POST', '/v1/admin/tokens/{tokenId}/rotate'],
  revokeToken: ['POST', '/v1/admin/tokens/{tokenId}/revoke'],
  listGrants: ['GET', '/v1/admin/grants'],
  addGrant: ['POST', '/v1/admin/grants'],
  replaceGrant: ['PUT', '/v1/admin/grants/{grantId}'],
  removeGrant: ['DELETE', '/v1/admin/grants/{grantId}'],
  getLimits: ['GET', '/v1/admin/organisations/{organisationId}/limits'],
  setLimits: ['PUT', '/v1/admin/organisations/{organisationId}/limits'],
  listAudit: ['GET', '/v1/admin/audit'],
  listVersions: ['GET', '/v1/admin/versions'],
  getReport: ['GET', '/v1/admin/versions/{dataset}/{version}/report'],
  compareVersions: ['GET', '/v1/admin/versions/{dataset}/diff'],
  rollBack: ['POST', '/v1/admin/versions:rollback'],
  explainListRecords: ['POST', '/v1/admin/explain/listRecords'],
  explainSearchFieldValues: ['POST', '/v1/admin/explain/searchFieldValues'],
  explainListRecordsStatistics: ['POST', '/v1/admin/explain/listRecordsStatistics'],
  explainGetLayerStats: ['POST', '/v1/admin/explain/getLayerStats'],
  explainSearchMetricValues: ['POST', '/v1/admin/explain/searchMetricValues'],
  explainSearchMetricAggregates: ['POST', '/v1/admin/explain/searchMetricAggregates'],
  previewListDataReferences: ['POST', '/v1/admin/preview/listDataReferences'],
  previewGetDataReference: ['POST', '/v1/admin/preview/getDataReference'],
  previewListRecords: ['POST', '/v1/admin/preview/listRecords'],
  checkGrantValues: ['POST', '/v1/admin/preview/checkGrantValues'],
  searchGrantValues: ['POST', '/v1/admin/preview/searchGrantValues'],
} as const;
