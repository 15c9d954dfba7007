import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'end all links to files of exports',
  description:
    'Replaces the key that signs the links to files of exports, so that all existing links stop working at once, for example after a leak. The exports remain: callers get new links with getRecordsExport. The change is in the audit log.',
  examples: { 'End all links': 'exports rotate-key' },
  settings: DATA_SETTINGS,
  arguments: {},
  flags: {},
  run: async (output, { settings }) => {
    const { withStore } = await import('../../compose/open-data.ts');
    const { LINK_SECRET } = await import('@locmetrics/server/exports/export-links');
    await withStore({ settings, output }, (store) => store.rotateSecret(LINK_SECRET));
    output.messages(
      'All links to files of exports have ended. getRecordsExport returns new ones.\n',
    );
  },
});
