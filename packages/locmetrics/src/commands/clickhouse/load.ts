import { defineCommand } from '../../cli/define-command.ts';
import { TABLE_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'load missing versions into ClickHouse',
  description:
    'Loads the kept versions that ClickHouse lacks, or that have a different number of rows there, from their column files. Use it after --clickhouse was set for the first time. An interrupted load resumes where it stopped. The service may be running. With --control, the versions of the data directory become those of all nodes: PostgreSQL must not have versions yet, and no service may use the data directory, which becomes a mirror.',
  examples: {
    'Of all datasets': 'clickhouse load --clickhouse http://default@127.0.0.1:8123/locmetrics',
    'Of one, with the settings from a file': 'clickhouse load cafes.places',
  },
  settings: TABLE_SETTINGS,
  arguments: { '[dataset]': 'name of a dataset; default: all' },
  flags: {
    '--json': 'print the versions as JSON',
  },
  run: async (output, given) =>
    (await import('../run/clickhouse-load.ts')).loadTablesAction(output, given),
});
