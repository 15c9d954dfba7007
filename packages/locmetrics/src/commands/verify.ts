import { defineCommand } from '../cli/define-command.ts';
import { TABLE_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'check the files of versions',
  description:
    'Reads all files of the kept versions and compares their checksums with those stored at the publish. With --clickhouse, it also compares the values of each table with the column file, or the number of rows if there is no column file. Exits with code 1 if a version is damaged or its row file cannot be used. If a version has no usable row file, the service reads the slower column store instead; --repair writes the row file again. On nodes that share versions, the records are in ClickHouse, so --repair only deletes the damaged data files of the node.',
  examples: {
    'Verify all datasets': 'verify',
    'Verify one dataset': 'verify cafes.places',
    'Verify all datasets, and rewrite unusable row files': 'verify --repair',
  },
  settings: TABLE_SETTINGS,
  arguments: { '[dataset]': 'name of a dataset; default: all' },
  flags: {
    '--repair': 'rewrite unusable row files from the column files',
    '--json': 'print the result as JSON',
  },
  run: async (output, given) =>
    (await import('./run/verify.ts')).verifyVersionsAction(output, given),
});
