import { defineCommand } from '../cli/define-command.ts';
import { VERSION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the kept versions',
  description:
    'Lists the kept versions of datasets, the versions of metrics with the dataset versions that they are made of, and when each version was current. Callers can query a kept version with asOf. If you give the name of a version, the command shows whether it is a version of a dataset or of a metric, and what it is made of.',
  examples: {
    'List the versions of all datasets': 'versions',
    'List the versions of one dataset': 'versions cafes.places',
    'Show what a version from a response is made of': 'versions 20260102T030405678Z-0123456789ab',
  },
  settings: VERSION_SETTINGS,
  arguments: { '[dataset]': 'name of a dataset, a metric or a version; default: all' },
  flags: {
    '--json': 'print the versions and their history as JSON',
  },
  run: async (output, given) =>
    (await import('./run/versions.ts')).listVersionsAction(output, given),
});
