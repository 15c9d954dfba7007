import { defineCommand } from '../cli/define-command.ts';
import { PUBLISH_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'write a first manifest for files',
  description:
    'Reads files and writes a manifest for them, locmetrics.yaml. Of a folder, it takes all data files, and says which it leaves and why. The manifest has the file format, the columns with their types and formats, periods, points, and a key that no row repeats. If some files have places and others have values for them, init also writes layers and metrics. It reads all rows. Comments with CHECK mark what it could not find out. You can publish the manifest without changes, unless several rows have the same key: then it names the choices. An existing file is replaced only with --force.',
  examples: {
    'Describe all CSV files in the current folder': 'init *.csv',
    'Describe all data files of a folder': 'init data',
    'Describe places and the values for them':
      'init stores.csv visits.csv.gz --output data/locmetrics.yaml',
    'Publish at once if nothing is doubtful': 'init visits.csv --publish',
    'Print the manifest instead of writing a file': 'init export.xlsx --output -',
  },
  settings: PUBLISH_SETTINGS,
  arguments: {
    '<files...>':
      'CSV, TSV, xlsx, Parquet, JSON, GeoJSON or GeoPackage files, zipped shapefiles, URLs of such files, or folders of them',
  },
  flags: {
    '--output <file>': 'file to write, or - for standard output; default: locmetrics.yaml',
    '--force': 'replace the file if it exists',
    '--sheet <name>': 'draft only this sheet of a workbook; default: all sheets that are tables',
    '--hours <choice>':
      'what becomes of the hours of a day: dimension, or days for their sums; default: dimension, with a CHECK',
    '--publish': 'publish the draft at once, unless it has comments with CHECK',
    '--schema': 'copy the JSON Schema beside the manifest, for editors on other machines',
  },
  run: async (output, given) => (await import('./run/init.ts')).initAction(output, given),
});
