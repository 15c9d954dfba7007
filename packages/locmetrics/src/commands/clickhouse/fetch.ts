import { defineCommand } from '../../cli/define-command.ts';
import { TABLE_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'write missing column files and row files from ClickHouse',
  description:
    'Writes the missing column files and row files of kept versions, from their tables in ClickHouse, and compares all values of file and table. Afterwards, the data directory can be served without ClickHouse. The checksum of a rewritten file can differ from the published one; version.json then gets the new one.',
  examples: {
    'Fetch the files of all datasets':
      'clickhouse fetch --clickhouse http://default@127.0.0.1:8123/locmetrics',
  },
  settings: TABLE_SETTINGS,
  arguments: { '[dataset]': 'name of a dataset; default: all' },
  flags: {
    '--json': 'print the versions as JSON',
  },
  run: async (output, given) =>
    (await import('../run/clickhouse-fetch.ts')).fetchFilesAction(output, given),
});
