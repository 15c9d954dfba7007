import type { Run } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { openDirectory } from '../../compose/open-data.ts';
import { retentionOf, withVersions } from '../../compose/with-versions.ts';
import { sizeText } from '../../domain/size-text.ts';
import { collectGarbage } from '../../versions/collect-garbage.ts';

export const collectGarbageAction: Run = async (output, { settings, json }) => {
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
};
