import { defineCommand } from '../cli/define-command.ts';
import { FILE_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'write a first manifest for files',
  description:
    'Reads files and writes a manifest, locmetrics.yaml, for them: file format, columns with their types and formats, periods, points, and a key that no row repeats. If some files have places and others have values for them, it also writes layers and metrics. All rows are read. Comments with CHECK mark what init could not know. The manifest can be published as it is. An existing file is replaced only with --force.',
  examples: {
    'For all files of a folder': 'init *.csv',
    'Places and the values for them': 'init stores.csv visits.csv.gz --output data/locmetrics.yaml',
    'Print it': 'init export.xlsx --output -',
  },
  settings: FILE_SETTINGS,
  arguments: {
    '<files...>':
      'CSV, TSV, xlsx, Parquet, JSON, GeoJSON or GeoPackage files, zipped shapefiles, or URLs of such files',
  },
  flags: {
    '--output <file>': 'file to write, or - for standard output; default: locmetrics.yaml',
    '--force': 'replace the file if it exists',
    '--schema': 'copy the JSON Schema beside the manifest, for editors on other machines',
  },
  run: async (output, given) => (await import('./run/init.ts')).initAction(output, given),
});
