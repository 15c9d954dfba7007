import { defineCommand } from '../cli/define-command.ts';
import { ACCEPT_GRANT_LOSSES, FILES } from './common-flags.ts';
import { CHECK_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'report all errors in a manifest and its files',
  description:
    'Does everything that publish does except the switch, and continues after an error, so that all errors are reported at once: in the manifest (with line and column), missing and unreadable files, missing columns, wrong values, keys, periods, layers and metrics. Also reports what would change since the current version. Exits with code 0 if a publish would succeed, otherwise with 1. Writes nothing. The data directory need not exist.',
  examples: {
    'The manifest locmetrics.yaml of this folder': 'check',
    'With next month from another directory':
      'check data/locmetrics.yaml cafes.visits --append --files incoming/2024-02',
    'Only the problems, in a script': "check --json | jq -r '.problems[].reason'",
  },
  settings: CHECK_SETTINGS,
  arguments: {
    '[manifest]': { description: 'path of the manifest', default: 'locmetrics.yaml' },
    '[datasets...]': 'names of datasets; default: all',
  },
  flags: {
    '--files <directory>': FILES,
    '--append': { description: 'check what publish --append would do', conflicts: 'replacePeriod' },
    '--replace-period <period>': 'check what publish --replace-period would do',
    '--accept-changes': 'check without the thresholds of the manifest',
    '--accept-grant-losses': ACCEPT_GRANT_LOSSES,
    '--json': 'print the problems, the reports and the metrics as JSON',
  },
  run: async (output, given) => (await import('./run/check.ts')).checkAction(output, given),
});
