import { defineCommand } from '../../cli/define-command.ts';
import { SWITCH_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'remove a dataset permanently',
  description:
    'Removes a dataset with all its versions, layers and metrics in one step. From the next request on, it cannot be queried. Its data is deleted once no request reads it. The command asks you to type the name first. If a metric of another dataset needs its layers, the removal is refused unless --with-metrics is given. A removal cannot be undone, but you can publish the dataset again.',
  examples: {
    'Show what would be removed': 'dataset remove cafes.places --dry-run',
    'Remove it without a confirmation, in a script': 'dataset remove cafes.places --yes',
  },
  settings: SWITCH_SETTINGS,
  arguments: { '<dataset>': 'name of the dataset' },
  flags: {
    '--dry-run': 'print what would be removed, and remove nothing',
    '--with-metrics': 'also remove metrics of other datasets that need its layers',
    '--yes': 'do not ask for confirmation',
    '--json': 'print what was removed as JSON',
  },
  run: async (output, given) =>
    (await import('../run/remove-dataset.ts')).removeDatasetAction(output, given),
});
