import { defineCommand } from '../cli/define-command.ts';
import { TABLE_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'compare two versions of a dataset',
  description:
    'Compares two versions of a dataset by key. Shows how many rows were added, removed and changed, which fields changed, and examples. Also shows changes of the schema, and which of them break callers.',
  examples: {
    'Compare the current version with the previous one': 'diff cafes.places',
    'Compare two kept versions':
      'diff cafes.places 20251202T030405678Z-ba9876543210 20260102T030405678Z-0123456789ab',
  },
  settings: TABLE_SETTINGS,
  arguments: {
    '<dataset>': 'name of the dataset',
    '[before]': 'older version; default: the one published before the newer one',
    '[after]': 'newer version; default: the current one',
  },
  flags: {
    '--json': 'print the differences as JSON',
  },
  run: async (output, given) =>
    (await import('./run/diff.ts')).compareVersionsAction(output, given),
});
