import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'set limits of an organisation',
  description:
    'Sets limits of an organisation. They take effect within a second. Limits that you do not give are unchanged. 0 or none removes a limit.',
  examples: {
    '10 requests per second, bursts of 50, and a million rows per month':
      'limits set portland --requests-per-second 10 --burst 50 --rows-per-month 1000000',
    'Remove a limit': 'limits set portland --rows-per-month none',
  },
  settings: DATA_SETTINGS,
  arguments: { '<org>': 'id of the organisation' },
  flags: {
    '--requests-per-second <n>': 'average rate of requests',
    '--burst <n>': 'requests allowed at once; default: the rate per second',
    '--rows-per-day <n>': 'rows in responses per day (UTC)',
    '--rows-per-month <n>': 'rows in responses per calendar month (UTC)',
    '--concurrent <n>': 'requests answered at the same time',
    '--viewed-rows <n>':
      'rows to look at per day (UTC) besides its limits of rows; default: as the settings say',
    '--json': 'print all limits of the organisation as JSON',
  },
  run: async (
    output,
    { org: organisationId, settings, json, concurrent, viewedRows, ...flags },
  ) => {
    const { withStore } = await import('../../compose/open-data.ts');
    const { toLimitsAnswer } = await import('@locmetrics/core/encoding/control-entries');
    const { limitsText } = await import('./limit-texts.ts');
    const { readLimitFlags } = await import('./read-limit-flags.ts');
    const changes = readLimitFlags({
      ...flags,
      concurrentQueries: concurrent,
      viewedRowsPerDay: viewedRows,
    });
    const entry = await withStore({ settings, output }, (store) =>
      store.setLimits(organisationId, changes),
    );
    output.data(
      json
        ? jsonLine(toLimitsAnswer(entry))
        : `The limits of ${organisationId}: ${limitsText(entry.limits)}.\n`,
    );
  },
});
