import { defineCommand } from '../../cli/define-command.ts';
import { printList } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the exports',
  description:
    'Lists the exports that have not expired, the newest first. WHAT is the dataset, or the metric as catalog/metric. STATE is waiting, running, completed or failed.',
  examples: {
    'List the exports as a table': 'exports list',
    'Print the ids of those that failed':
      'exports list --json | jq -r \'.exports[] | select(.state == "failed") | .id\'',
  },
  settings: DATA_SETTINGS,
  arguments: {},
  flags: {
    '--org <id>': 'only those of an organisation',
    '--json': 'print them as JSON',
  },
  run: async (output, { settings, org, json }) => {
    const { withExports } = await import('./with-exports.ts');
    const { toListedExport } = await import('@locmetrics/core/encoding/records-export');
    const { roundedSize } = await import('@locmetrics/core/errors/size-text');
    const all = (await withExports({ settings, output }, (store) => store.list())) ?? [];
    const found = all.filter(({ organisationId }) => org === undefined || organisationId === org);
    const listed = found.map(toListedExport);
    printList(output, {
      json,
      answer: { exports: listed },
      none: 'There are no exports.',
      columns: ['ID', 'ORGANISATION', 'WHAT', 'STATE', 'ROWS', 'SIZE', 'CREATED', 'PROBLEM'],
      rows: listed.map((one) => [
        one.id,
        one.organisationId,
        one.dataset ?? one.metric ?? '',
        one.state,
        `${one.rowsWritten}/${one.rows}`,
        roundedSize(one.bytes),
        one.created,
        one.errorReason ?? '',
      ]),
    });
  },
});
