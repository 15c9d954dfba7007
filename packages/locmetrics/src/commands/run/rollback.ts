import type { Switch } from '@locmetrics/data-directory/versions/switch-versions';
import { type AcceptedSwitch, rollBack } from '@locmetrics/ingest/publish/roll-back';
import { switchChanges } from '@locmetrics/server/auth/version-changes';
import type { RequiredTexts, Run, Switches, Texts } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { grantLossFinder, printGrantLosses } from '../../compose/grant-loss-finder.ts';
import { withSwitching } from '../../compose/with-switching.ts';
import { ConfigError } from '../../config/config-error.ts';
import { recordVersionChanges } from './run-publish.ts';

export const rollBackAction: Run<
  RequiredTexts<'dataset'> & Texts<'version'> & Switches<'together' | 'acceptGrantLosses'>
> = async (
  output,
  { dataset: datasetName, version, settings, json, together = false, acceptGrantLosses = false },
) => {
  if (together && version !== undefined) {
    throw new ConfigError(
      'A version belongs to one dataset, but --together switches several.',
      'Omit the version, or omit --together.',
    );
  }
  await withSwitching(
    { settings, output },
    async (opened) => {
      const done = await rollBack({
        directory: opened.directory,
        store: opened.store,
        database: opened.database,
        datasetName,
        version,
        isTogether: together,
        findGrantLosses: grantLossFinder(opened),
        acceptsGrantLosses: acceptGrantLosses,
        clock: Date.now,
      });
      await recordVersionChanges(opened, switchChanges('version.rollback', done.datasets), output);
      return done;
    },
    (done) => {
      output.data(json ? jsonLine(toSwitchAnswer(done)) : switchText(done));
      printGrantLosses(done.grantLosses, output);
    },
  );
};

function toSwitchAnswer({ number, time, datasets, grantLosses }: AcceptedSwitch) {
  return { switch: number, time, datasets, grantLosses };
}

/** The new current versions, a line per dataset. */
export function switchText({ datasets }: Pick<Switch, 'datasets'>): string {
  return datasets
    .map(({ dataset, before, version }) => `${dataset} is now ${version}. Before: ${before}.\n`)
    .join('');
}
