import { sizeText } from '@locmetrics/core/errors/size-text';
import { defineCommand } from '../cli/define-command.ts';
import { jsonLine } from '../cli/output.ts';
import { RETENTION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'remove versions and files that are no longer needed',
  description:
    'Deletes versions that are past their retention and that no worker reads, and files that killed publishes and workers have left behind. The commands publish, rollback and versions withdraw also do this.',
  examples: {
    'Use the retention from the settings': 'gc',
    'Keep only the current versions': 'gc --versions-kept 1 --versions-kept-for 0s',
  },
  settings: RETENTION_SETTINGS,
  arguments: {},
  flags: {
    '--json': 'print what was removed as JSON',
  },
  run: async (output, { settings, json }) => {
    const { openDirectory } = await import('../compose/open-data.ts');
    const { retentionOf, withVersions } = await import('../compose/with-versions.ts');
    const { collectGarbage } = await import('@locmetrics/data-directory/versions/collect-garbage');
    const opened = openDirectory({ settings, output });
    const { removed, held } = await withVersions(opened, ({ store }) =>
      collectGarbage(store, { retention: retentionOf(opened.config), now: Date.now() }),
    );
    const bytes = removed.reduce((sum, one) => sum + one.bytes, 0);
    if (json) {
      output.data(jsonLine({ removed, held, bytes }));
      return;
    }
    for (const one of removed) output.data(`Removed ${one.path} (${sizeText(one.bytes)})\n`);
    for (const { path } of held) output.data(`Kept ${path}: a worker may still read it.\n`);
    if (removed.length === 0 && held.length === 0) output.data('Nothing to remove.\n');
  },
});
