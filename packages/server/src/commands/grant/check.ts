import { defineCommand } from '../../cli/define-command.ts';
import { VERSION_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'find grants that do not fit the published data',
  description:
    'Finds current and future grants that name something that is not published: a dataset, metric, field, component or dimension. A grant with a filter that does not fit gives access to nothing. Exits with code 1 if there is such a grant.',
  examples: {
    'Of all organisations': 'grant check',
    'Of one': 'grant check --org somewhere',
  },
  settings: VERSION_SETTINGS,
  arguments: {},
  flags: {
    '--org <id>': 'only the grants of one organisation',
    '--json': 'print the grants that do not fit as JSON',
  },
  run: async (output, given) => (await import('../run/grants.ts')).checkGrantsAction(output, given),
});
