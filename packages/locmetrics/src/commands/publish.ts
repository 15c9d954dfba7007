import { defineCommand } from '../cli/define-command.ts';
import { ACCEPT_GRANT_LOSSES, FILES } from './common-flags.ts';
import { PUBLISH_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'publish the datasets of a manifest',
  description:
    'Publishes all datasets of a manifest, or only the named ones, and switches to all of them in one step. Everything is checked before anything changes. If a row is wrong, the current versions stay, and the row is reported with its file, line, field, value and reason. A report shows what was read and what changed since the previous version. A publish that takes away something that a grant names is refused, unless --accept-grant-losses is given.',
  examples: {
    'Publish every dataset of a manifest': 'publish data/locmetrics.yaml',
    'Publish one dataset of it': 'publish data/locmetrics.yaml cafes.places',
    'Add a month, from files in another directory':
      'publish data/locmetrics.yaml cafes.visits --append --files incoming/2024-02',
    'Replace a wrong month, after a check':
      'check data/locmetrics.yaml cafes.visits --replace-period 2024-01\npublish data/locmetrics.yaml cafes.visits --replace-period 2024-01',
  },
  settings: PUBLISH_SETTINGS,
  arguments: {
    '<manifest>': 'path of the manifest, such as locmetrics.yaml',
    '[datasets...]': 'names of datasets; default: all',
  },
  flags: {
    '--files <directory>': FILES,
    '--append': {
      description: 'add the rows of the files to the current version',
      conflicts: 'replacePeriod',
    },
    '--replace-period <period>':
      'replace the rows of a period, such as 2024-01, 2024, 2024-01-05 or 2024-01-01/2024-03-31',
    '--dry-run': 'the same as locmetrics check',
    '--accept-changes': 'publish even if more has changed than the manifest accepts',
    '--without-row-files':
      'publish faster; responses are slower until locmetrics verify --repair writes the row files',
    '--accept-grant-losses': ACCEPT_GRANT_LOSSES,
    '--json': 'print the reports and the metrics as JSON',
  },
  run: async (output, given) => (await import('./run/publish.ts')).publishAction(output, given),
});
