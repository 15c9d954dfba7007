import { existsSync } from 'node:fs';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import { listBuiltUpon } from '@locmetrics/data-directory/versions/list-built-upon';
import { withdrawVersion } from '@locmetrics/ingest/publish/roll-back';
import type { RequiredTexts, Run, Switches } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { grantLossFinder, printGrantLosses } from '../../compose/grant-loss-finder.ts';
import { withSwitching } from '../../compose/with-switching.ts';
import { switchText } from './rollback.ts';
import { recordVersionChanges } from './run-publish.ts';

export const withdrawVersionAction: Run<
  RequiredTexts<'version'> & Switches<'acceptGrantLosses'>
> = async (output, { version, settings, json, acceptGrantLosses = false }) => {
  await withSwitching(
    { settings, output },
    async (opened) => {
      const { directory, store, database } = opened;
      const withdrawal = await withdrawVersion({
        directory,
        store,
        database,
        version,
        findGrantLosses: grantLossFinder(opened),
        acceptsGrantLosses: acceptGrantLosses,
        clock: Date.now,
      });
      const dataset = withdrawal.withdrawn[0]?.dataset ?? '';
      const current = readCurrentFile(directory.current);
      const replacement = withdrawal.datasets[0]?.version ?? null;
      const details = { version, replacement };
      await recordVersionChanges(
        opened,
        [{ action: 'version.withdraw', dataset, details }],
        output,
      );
      const builtUpon = listBuiltUpon(directory, current, dataset, version);
      return { withdrawal, dataset, path: directory.version(dataset, version), builtUpon };
    },
    ({ withdrawal, dataset, path, builtUpon }) => {
      const isRemoved = !existsSync(path);
      const { time: withdrawnTime, number, datasets, grantLosses } = withdrawal;
      if (json) {
        const withdrawn = { dataset, version, withdrawnTime, switch: number };
        output.data(jsonLine({ ...withdrawn, datasets, grantLosses, builtUpon, isRemoved }));
        return;
      }
      output.data(`The version ${version} of ${dataset} is withdrawn.\n${switchText(withdrawal)}`);
      printGrantLosses(grantLosses, output);
      if (builtUpon.length > 0) {
        output.messages(
          `These versions contain its rows and are not withdrawn: ${builtUpon.join(', ')}. Publish the correct data, then withdraw them too.\n`,
        );
      }
      if (isRemoved) return;
      output.messages(
        'Requests may still read its data. The service, or locmetrics gc, removes them when no request does.\n',
      );
    },
  );
};
