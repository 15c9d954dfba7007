/** The calls of unacatlib 0.0.101 that are not served yet, with what to do instead, by the name of their service. */
export const UNSERVED_CALLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'unacast.catalog.v3.Export': {
    CreateRecordsExport: readRecords('Read'),
    GetRecordsExport: readRecords('Read'),
    ListRecordsExports: readRecords('Read'),
    DeleteRecordsExport: readRecords('Read'),
  },
  'unacast.catalog.v3alpha.CatalogQuery': {
    FileDownload: readRecords('Read'),
    ListRecordsStatistics: readRecords('Count'),
    GetLayerStats: readRecords('Count'),
  },
  'unacast.catalog.v1.FileDownloadService': {
    DownloadMetric:
      'Read the values, page by page, with unacast.catalog.v1.QueryService/SearchMetricValues.',
  },
  'unacast.catalog.v1.QueryService': {
    Rank: 'Read the values with unacast.catalog.v1.QueryService/SearchMetricValues, and rank them yourself.',
  },
};

function readRecords(verb: 'Read' | 'Count'): string {
  return `${verb} the records, page by page, with unacast.catalog.v3.CatalogQuery/ListRecords.`;
}
