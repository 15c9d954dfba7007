import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the limits',
  description: 'Lists the limits of all organisations that have any, or of one organisation.',
  examples: {
    All: 'limits list',
  },
  settings: DATA_SETTINGS,
  arguments: { '[org]': 'id of an organisation; default: all with limits' },
  flags: {
    '--org <id>': 'the same as the argument',
    '--json': 'print them as JSON',
  },
  run: async (output, given) => (await import('../run/limits.ts')).listLimitsAction(output, given),
});
