import { defineCommand } from '../../cli/define-command.ts';
import { printList } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the limits',
  description: 'Lists the limits of all organisations that have any, or of one organisation.',
  examples: {
    'List the limits of all organisations': 'limits list',
  },
  settings: DATA_SETTINGS,
  arguments: { '[org]': 'id of an organisation; default: all with limits' },
  flags: {
    '--org <id>': 'the same as the argument',
    '--json': 'print them as JSON',
  },
  run: async (output, { org: organisationId, settings, json }) => {
    const { LIMIT_NAMES } = await import('@locmetrics/server/auth/limits');
    const { withStore } = await import('../../compose/open-data.ts');
    const { toLimitsAnswer } = await import('@locmetrics/core/encoding/control-entries');
    const { LIMIT_TEXTS } = await import('./limit-texts.ts');
    const filter = organisationId === undefined ? {} : { organisationId };
    const entries = await withStore({ settings, output }, (store) => store.listLimits(filter));
    printList(output, {
      json,
      answer: { limits: entries.map(toLimitsAnswer) },
      none: 'No organisation has limits. Set one: locmetrics limits set ORG --rows-per-day N',
      columns: ['ORGANISATION', ...LIMIT_NAMES.map((name) => LIMIT_TEXTS[name].column)],
      rows: entries.map(({ organisationId: id, limits }) => [
        id,
        ...LIMIT_NAMES.map((name) => String(limits[name] ?? 'none')),
      ]),
    });
  },
});
