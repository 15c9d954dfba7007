import { defineCommand } from '../cli/define-command.ts';
import { FILE_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'look at files, and write a first manifest that publishes them',
  description:
    'Looks at files and writes locmetrics.yaml for them: how each is read, its columns with their types and formats, periods, points and a key that no row repeats. With files of places and of values for them it also writes layers and metrics. All rows are read. Comments with CHECK say what it could not know. The manifest can be published as it is. It replaces no file unless --force is given.',
  examples: {
    'For all files of a folder': 'init *.csv',
    'Places and the values for them': 'init stores.csv visits.csv.gz --output data/locmetrics.yaml',
    'Print it': 'init export.xlsx --output -',
  },
  settings: FILE_SETTINGS,
  arguments: {
    '<files...>':
      'files of CSV, TSV, xlsx, Parquet, JSON, GeoJSON, GeoPackages, shapefiles in zip archives, or addresses of them',
  },
  flags: {
    '--output <file>': 'file to write, or - for standard output; default: locmetrics.yaml',
    '--force': 'replace the file if it exists',
    '--schema': 'copy the JSON Schema beside the manifest, for editors of other machines',
  },
  run: async (output, given) => (await import('./run/init.ts')).initAction(output, given),
});
