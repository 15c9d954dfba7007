import { createInterface } from 'node:readline';
import { ConfigError } from '../config/config-error.ts';
import { InterruptedError } from './interrupted-error.ts';
import type { Output } from './output.ts';

/** Asks on a terminal whether to go on; wrong usage where nobody can be asked. */
export async function confirm(
  question: string,
  {
    input = process.stdin,
    output,
  }: {
    readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
    readonly output: Pick<Output, 'messages' | 'isTerminal'>;
  },
): Promise<boolean> {
  if (input.isTTY !== true || !output.isTerminal) {
    throw new ConfigError(
      'There is no terminal on which to ask whether to go on.',
      'See what would be done with --dry-run, then do it with --yes.',
    );
  }
  output.messages(`${question} [y/N] `);
  const lines = createInterface({ input, terminal: false });
  const answer = Promise.withResolvers<boolean>();
  const interrupt = (): void => answer.reject(new InterruptedError('SIGINT'));
  process.once('SIGINT', interrupt);
  lines.once('line', (line) => answer.resolve(/^y(es)?$/i.test(line.trim())));
  // The end of the input is no yes.
  lines.once('close', () => answer.resolve(false));
  try {
    return await answer.promise;
  } finally {
    process.off('SIGINT', interrupt);
    lines.close();
  }
}
