import { defineCommand } from '../cli/define-command.ts';
import { VERSION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'show which store answers a request, and why',
  description:
    'Shows the queries that a request would run. For each query, it shows the filters that the rights of the caller add, which store answers it and why, the index, and the maximum time that the row store would need. It reads no data. If the operation would refuse the request, this command refuses it in the same way.',
  examples: {
    'Explain a request for the records of a place':
      'explain listRecords \'{"dataReferenceName": "cafes.places", "filters": [{"fieldName": "id", "operator": "==", "value": "C1"}]}\'',
    'Explain a request for metric values, with the grants of an organisation':
      'explain searchMetricValues \'{"catalogId": "cafes", "metricId": "visits", "billingContext": "portland"}\'',
    'Explain a request for aggregates of a metric':
      'explain searchMetricAggregates \'{"catalogId": "cafes", "metricId": "visits", "billingContext": "portland", "groupBy": [{"kind": "PERIOD"}], "compare": "PREVIOUS", "aggregates": [{"valueName": "visits", "aggregation": "SUM"}]}\'',
  },
  settings: VERSION_SETTINGS,
  arguments: {
    '<operation>':
      'listRecords, listRecordsStatistics, getLayerStats, searchFieldValues, searchMetricValues or searchMetricAggregates',
    '<request>': 'request of the operation, as JSON',
  },
  flags: {
    '--org <id>':
      'organisation whose grants apply; default: that of billingContext, or, without one, access to all data',
    '--json': 'print the queries as JSON',
  },
  run: async (output, given) => (await import('./run/explain.ts')).explainAction(output, given),
});
