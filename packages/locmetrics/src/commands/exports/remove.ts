import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'remove an export',
  description:
    'Removes an export and its files, and stops it if it is running. Its links stop working at once.',
  examples: {
    'Remove an export by its id, which exports list shows':
      'exports remove 4v2k0d8r1m5t9a7c3f6h0j2p4q',
  },
  settings: DATA_SETTINGS,
  arguments: { '<export>': 'id of the export' },
  flags: {
    '--json': 'print its id as JSON',
  },
  run: async (output, { settings, export: id, json }) => {
    const { withExports } = await import('./with-exports.ts');
    const { openExportFolder } = await import('@locmetrics/server/exports/export-folder');
    const { exportUnknown } = await import('./export-unknown.ts');
    const removed = await withExports({ settings, output }, async (store, { directory }) => {
      const ids = (await store.list()).map((one) => one.id);
      if (!(await store.remove(id))) throw exportUnknown(id, ids);
      await openExportFolder(directory.exports.files).remove(id);
      return true;
    });
    if (removed === undefined) throw exportUnknown(id, []);
    output.data(json ? jsonLine({ id }) : `Removed the export ${id}.\n`);
  },
});
