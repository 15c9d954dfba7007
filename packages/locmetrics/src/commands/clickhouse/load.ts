import { defineCommand } from '../../cli/define-command.ts';
import { TABLE_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'load missing versions into ClickHouse',
  description:
    'Loads the kept versions that ClickHouse lacks, or that have a different number of rows there, from their column files. Use it after you have set --clickhouse for the first time. An interrupted load resumes where it stopped. The service may be running. With --control, all nodes then share the versions of the data directory, and the data directory becomes a mirror. For this, PostgreSQL must not have versions yet, and no service may use the data directory.',
  examples: {
    'Load all datasets': 'clickhouse load --clickhouse http://default@127.0.0.1:8123/locmetrics',
    'Load one dataset, with the settings from the configuration file':
      'clickhouse load cafes.places',
  },
  settings: TABLE_SETTINGS,
  arguments: { '[dataset]': 'name of a dataset; default: all' },
  flags: {
    '--json': 'print the versions as JSON',
  },
  run: async (output, given) =>
    (await import('../run/clickhouse-load.ts')).loadTablesAction(output, given),
});
