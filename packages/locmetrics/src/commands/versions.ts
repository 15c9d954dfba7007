import { defineCommand } from '../cli/define-command.ts';
import { VERSION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the kept versions',
  description:
    'Lists the kept versions, the versions of metrics with the versions of datasets that each is made of, and which version was current at which time. Callers can query a kept version with asOf. The name of a version shows what it is: the version of a metric is that of its dataset, or made of several.',
  examples: {
    'Of all datasets': 'versions',
    'Of one': 'versions cafes.places',
    'What the version in an answer is made of': 'versions 20260102T030405678Z-0123456789ab',
  },
  settings: VERSION_SETTINGS,
  arguments: { '[dataset]': 'name of a dataset, a metric or a version; default: all' },
  flags: {
    '--json': 'print the versions and their history as JSON',
  },
  run: async (output, given) =>
    (await import('./run/versions.ts')).listVersionsAction(output, given),
});
