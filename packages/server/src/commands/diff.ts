import type { Output } from '../cli/output.ts';
import type { Actions } from '../cli/program.ts';

export function diffActions(output: Output): Pick<Actions, 'compareVersions'> {
  return {
    compareVersions: async () => output.messages('Not there yet.\n'),
  };
}
