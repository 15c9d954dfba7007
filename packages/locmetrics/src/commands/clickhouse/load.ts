import { defineCommand } from '../../cli/define-command.ts';
import { TABLE_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'load versions into ClickHouse that have no table there',
  description:
    'Loads each kept version that has no table in ClickHouse, or one with another number of rows, from its column file: for example after --clickhouse was given for the first time. A load that was broken off goes on where it stopped. The service may be running. With --control too, the versions of the data directory become those of all nodes: PostgreSQL must have no versions yet, and no service may run on the data directory, which is a mirror afterwards.',
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
