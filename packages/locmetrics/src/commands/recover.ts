import { defineCommand } from '../cli/define-command.ts';
import { VERSION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'rebuild a lost or damaged current.json',
  description:
    'Rebuilds current.json, the file that says which versions are current, from the existing versions. Use it if the file is lost or damaged and there is no backup. The command first shows which version of each dataset becomes current, which versions are damaged or withdrawn, and what is lost. Then it asks for confirmation. It deletes nothing, and does nothing if current.json can be read. On nodes that share versions (--control and --clickhouse), it copies the files of the mirror from PostgreSQL again instead.',
  examples: {
    'Show what would be done': 'recover --dry-run',
    'Choose a version other than the last published one, without confirmation':
      'recover --current 20251202T030405678Z-ba9876543210 --yes',
  },
  settings: VERSION_SETTINGS,
  arguments: {},
  flags: {
    '--current <version>': {
      description:
        'make this version current instead of the last published one; repeatable, one per dataset',
      isRepeatable: true,
    },
    '--dry-run': { description: 'print what would be done, and change nothing', conflicts: 'yes' },
    '--yes': 'do not ask for confirmation',
    '--json': 'print the result as JSON',
  },
  run: async (output, given, { asCalled }) =>
    (await import('./run/recover.ts')).recoverCurrentAction(output, { ...given, asCalled }),
});
