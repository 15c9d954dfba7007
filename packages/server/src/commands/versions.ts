import type { Output } from '../cli/output.ts';
import type { Actions } from '../cli/program.ts';

export function versionsActions(output: Output): Pick<Actions, 'listVersions'> {
  return {
    listVersions: async () => output.messages('Not there yet.\n'),
  };
}
