import type { Output } from '../cli/output.ts';
import type { Actions } from '../cli/program.ts';

export function rollbackActions(output: Output): Pick<Actions, 'rollBack'> {
  return {
    rollBack: async () => output.messages('Not there yet.\n'),
  };
}
