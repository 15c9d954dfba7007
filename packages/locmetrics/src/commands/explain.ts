import { defineCommand } from '../cli/define-command.ts';
import { VERSION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'show which store answers a request, and why',
  description:
    'Shows the queries that a request would run. For each query, it shows which store answers and why, the index, and the maximum time that the row store would need. Reads no data. If the operation would refuse the request, this command refuses it in the same way.',
  examples: {
    'Records of a place':
      'explain listRecords \'{"dataReferenceName": "cafes.places", "filters": [{"fieldName": "id", "operator": "==", "value": "C1"}]}\'',
    'Values of a metric, as an organisation sees them':
      'explain searchMetricValues \'{"catalogId": "cafes", "metricId": "visits", "billingContext": "portland"}\'',
  },
  settings: VERSION_SETTINGS,
  arguments: {
    '<operation>': 'listRecords, searchFieldValues or searchMetricValues',
    '<request>': 'request of the operation, as JSON',
  },
  flags: {
    '--org <id>':
      'organisation whose grants apply; default: that of billingContext, or, without one, access to all data',
    '--json': 'print the queries as JSON',
  },
  run: async (output, given) => (await import('./run/explain.ts')).explainAction(output, given),
});
