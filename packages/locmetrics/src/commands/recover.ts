import { defineCommand } from '../cli/define-command.ts';
import { VERSION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'rebuild a lost or damaged current.json',
  description:
    'Rebuilds current.json from the existing versions, for when it is lost or damaged and there is no backup. This file says which versions are current. The command first shows which version of each dataset becomes current, which versions are damaged or withdrawn, and which facts are lost. Then it asks for confirmation. It removes nothing, and does nothing if current.json can be read. Where nodes share versions, with --control and --clickhouse, the files of the mirror are copied again from PostgreSQL instead.',
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
