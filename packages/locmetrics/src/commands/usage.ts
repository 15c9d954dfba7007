import {
  TABLE_FORMAT_NAMES,
  TABLE_FORMATS,
  type TableFormat,
} from '@locmetrics/contract/table-formats';
import { USAGE_GROUPS } from '@locmetrics/core/domain/usage-group';
import { defineCommand, type FlagText } from '../cli/define-command.ts';
import { DATA_SETTINGS } from './settings-of-commands.ts';

const FORMAT_FLAGS: { readonly [Flag in `--${TableFormat}`]?: FlagText } = Object.fromEntries(
  TABLE_FORMAT_NAMES.map((name) => [
    `--${name}`,
    {
      description: `print it as ${TABLE_FORMATS[name].title}`,
      conflicts: ['json', ...TABLE_FORMAT_NAMES.filter((other) => other !== name)],
    },
  ]),
);

export const command = defineCommand({
  summary: 'print the usage of organisations',
  description:
    'Adds up the answered requests, their rows and their bytes by UTC day. The sums include every request that was answered until now, whether the service is running or not.',
  examples: {
    'Print the usage of this month by organisation': 'usage',
    'Print a month of one organisation as CSV, by day and dataset':
      'usage --org portland --from 2026-01-01 --to 2026-01-31 --by day,dataset --csv > january.csv',
    'Print single requests with their ids, to check a bill':
      'usage --records --org portland --from 2026-01-31 --to 2026-01-31',
  },
  settings: DATA_SETTINGS,
  arguments: {},
  flags: {
    '--org <id>': 'only the usage of one organisation',
    '--from <day>': 'first day, YYYY-MM-DD; default: the first of the month',
    '--to <day>': 'last day, inclusive; default: today',
    '--by <groups>': {
      description: `${USAGE_GROUPS.join(', ')}; separated by commas; default: organisation`,
      words: USAGE_GROUPS,
    },
    '--records': 'print single requests instead of sums',
    ...FORMAT_FLAGS,
    '--json': 'print it as JSON',
  },
  run: async (output, given) => (await import('./run/usage.ts')).printUsageAction(output, given),
});
