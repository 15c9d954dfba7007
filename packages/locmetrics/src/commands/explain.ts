import { defineCommand } from '../cli/define-command.ts';
import { VERSION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'show which store answers a request, and why',
  description:
    'Shows the queries that a request would run: which store answers each, the index, the most that the row store needs, and why. Reads no data. A request that the operation would refuse is refused in the same way.',
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
      'organisation whose grants apply; default: that of billingContext, else all data is seen',
    '--json': 'print the queries as JSON',
  },
  run: async (output, given) => (await import('./run/explain.ts')).explainAction(output, given),
});
