import type { Output } from '../cli/output.ts';
import type { Actions } from '../cli/program.ts';

export function verifyActions(output: Output): Pick<Actions, 'verifyVersions'> {
  return {
    verifyVersions: async () => output.messages('Not there yet.\n'),
  };
}
