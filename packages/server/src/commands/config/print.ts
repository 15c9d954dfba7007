import { defineCommand } from '../../cli/define-command.ts';

export const command = defineCommand({
  summary: 'print the settings in effect',
  description:
    'Prints the settings in effect and the source of each, without secrets. If the service cannot start with them, it says why and exits with code 2. Takes the same flags as serve.',
  examples: {
    'As a table': 'config print',
    'Check a file before you use it': 'config print --config new.yaml',
  },
  settings: 'all',
  arguments: {},
  flags: {
    '--json': 'print them as JSON',
  },
  run: async (output, given) => (await import('../run/config.ts')).printConfigAction(output, given),
});
