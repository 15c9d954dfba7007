import { switchChanges } from '../auth/version-changes.ts';
import { jsonLine } from '../cli/print-list.ts';
import type { Action } from '../cli/program.ts';
import { ConfigError } from '../config/config-error.ts';
import { type AcceptedSwitch, rollBack } from '../importer/publish/roll-back.ts';
import type { Switch } from '../versions/switch-versions.ts';
import { grantLossFinder, printGrantLosses } from './grant-loss-finder.ts';
import { recordVersionChanges } from './record-version-changes.ts';
import { withSwitching } from './with-switching.ts';

export const rollBackAction: Action<'rollBack'> = async (
  output,
  datasetName,
  version,
  { settings, json, together = false, acceptGrantLosses = false },
) => {
  if (together && version !== undefined) {
    throw new ConfigError(
      'A version belongs to one dataset, but --together switches several.',
      'Omit the version, or omit --together.',
    );
  }
  await withSwitching(
    { settings, output },
    async ({ directory }) => {
      const done = await rollBack({
        directory,
        datasetName,
        version,
        isTogether: together,
        findGrantLosses: grantLossFinder(directory),
        acceptsGrantLosses: acceptGrantLosses,
        clock: Date.now,
      });
      recordVersionChanges(directory, switchChanges('version.rollback', done.datasets), output);
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
