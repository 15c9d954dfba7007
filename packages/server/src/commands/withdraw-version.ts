import { existsSync } from 'node:fs';
import type { Output } from '../cli/output.ts';
import type { Actions } from '../cli/program.ts';
import { withdrawVersion } from '../importer/roll-back.ts';
import { switchText } from './rollback.ts';
import { withSwitching } from './with-switching.ts';

export function withdrawVersionAction(output: Output): Pick<Actions, 'withdrawVersion'> {
  return {
    withdrawVersion: async (version, { settings, json }) => {
      await withSwitching(
        { settings, output },
        async ({ directory }) => {
          const withdrawal = await withdrawVersion({ directory, version, clock: Date.now });
          const dataset = withdrawal.withdrawn[0]?.dataset ?? '';
          return { withdrawal, dataset, path: directory.version(dataset, version) };
        },
        ({ withdrawal, dataset, path }) => {
          const isRemoved = !existsSync(path);
          const { time: withdrawnTime, number, datasets } = withdrawal;
          if (json) {
            const answer = { dataset, version, withdrawnTime, switch: number, datasets, isRemoved };
            output.data(`${JSON.stringify(answer)}\n`);
            return;
          }
          output.data(
            `The version ${version} of ${dataset} is withdrawn.\n${switchText(withdrawal)}`,
          );
          if (isRemoved) return;
          output.messages(
            'A request may still read its data: the service removes them once none does, or locmetrics gc.\n',
          );
        },
      );
    },
  };
}
