import { defineCommand } from '../../cli/define-command.ts';
import { TABLE_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'make column files and row files again from ClickHouse',
  description:
    'Makes the column file and the row file of each kept version that has none, from its table in ClickHouse. All values of the file and of the table are compared. Afterwards the data directory can be served without ClickHouse. The checksum of a file that is made again can differ from the published one; then version.json gets the new one.',
  examples: {
    'Of all datasets': 'clickhouse fetch --clickhouse http://default@127.0.0.1:8123/locmetrics',
  },
  settings: TABLE_SETTINGS,
  arguments: { '[dataset]': 'name of a dataset; default: all' },
  flags: {
    '--json': 'print the versions as JSON',
  },
  run: async (output, given) =>
    (await import('../run/clickhouse-fetch.ts')).fetchFilesAction(output, given),
});
