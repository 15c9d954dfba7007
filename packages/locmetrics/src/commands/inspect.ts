import { defineCommand } from '../cli/define-command.ts';
import { FILE_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'show what files contain, without writing anything',
  description:
    'Shows what init finds in files: encoding, delimiter, header, rows, key, and each column with the type and format of its values. It writes nothing.',
  examples: {
    'Inspect a file': 'inspect export.csv',
  },
  settings: FILE_SETTINGS,
  arguments: {
    '<files...>':
      'CSV, TSV, xlsx, Parquet, JSON, GeoJSON or GeoPackage files, zipped shapefiles, URLs of such files, or folders of them',
  },
  flags: {},
  run: async (output, given) => (await import('./run/inspect.ts')).inspectAction(output, given),
});
