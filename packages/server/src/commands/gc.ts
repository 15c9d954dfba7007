import type { Output } from '../cli/output.ts';
import type { Actions } from '../cli/program.ts';

export function gcActions(output: Output): Pick<Actions, 'collectGarbage'> {
  return {
    collectGarbage: async () => output.messages('Not there yet.\n'),
  };
}
