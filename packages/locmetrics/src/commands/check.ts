import { defineCommand } from '../cli/define-command.ts';
import { ACCEPT_GRANT_LOSSES, FILES } from './common-flags.ts';
import { CHECK_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'report all errors in a manifest and its files',
  description:
    'Checks a manifest and its files as publish does, and changes nothing. It continues after an error, so that it can report all errors together: mistakes in the manifest (with line and column), missing and unreadable files, missing columns, wrong values, and problems with keys, periods, layers and metrics. It also reports what would change since the current version. Exits with code 0 if a publish would succeed, otherwise with 1. The data directory does not need to exist.',
  examples: {
    'Check locmetrics.yaml in the current folder': 'check',
    'Check whether the files of the next month can be appended':
      'check data/locmetrics.yaml cafes.visits --append --files incoming/2024-02',
    'Print only the problems, for a script': "check --json | jq -r '.problems[].reason'",
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
