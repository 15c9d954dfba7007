import { defineCommand } from '../cli/define-command.ts';
import { TABLE_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'check the files of versions',
  description:
    'Reads all files of the kept versions and compares their checksums with those stored at publish time. With --clickhouse it also compares all values of each table with the column file, or only the number of rows where there is no column file. Exits with code 1 if a version is damaged, or if its row file cannot be used. Without its row file a version answers from the column store, which is slower; --repair makes the file again. Where nodes share versions, ClickHouse has the records: then --repair removes data files of this node that are not as published, and makes none again.',
  examples: {
    'Of all datasets': 'verify',
    'Of one': 'verify cafes.places',
    'Of all, and make row files again': 'verify --repair',
  },
  settings: TABLE_SETTINGS,
  arguments: { '[dataset]': 'name of a dataset; default: all' },
  flags: {
    '--repair': 'make row files that cannot be used again, from the column files',
    '--json': 'print the result as JSON',
  },
  run: async (output, given) =>
    (await import('./run/verify.ts')).verifyVersionsAction(output, given),
});
