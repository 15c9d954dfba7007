import { createInterface } from 'node:readline';
import { ConfigError } from '../config/config-error.ts';
import { InterruptedError } from './interrupted-error.ts';
import type { Output } from './output.ts';

export type Terminal = {
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: Pick<Output, 'messages' | 'isTerminal'>;
  /** The hint for a command without a terminal. */
  readonly hint?: string;
};

/** Asks on a terminal and returns the typed line; wrong usage without a terminal. */
export async function askOnTerminal(
  question: string,
  { input = process.stdin, output, hint = 'Check with --dry-run, then run with --yes.' }: Terminal,
): Promise<string> {
  if (input.isTTY !== true || !output.isTerminal) {
    throw new ConfigError('There is no terminal to ask for confirmation.', hint);
  }
  output.messages(question);
  const lines = createInterface({ input, terminal: false });
  const answer = Promise.withResolvers<string>();
  const interrupt = (): void => answer.reject(new InterruptedError('SIGINT'));
  process.once('SIGINT', interrupt);
  lines.once('line', (line) => answer.resolve(line.trim()));
  // The end of the input is an empty answer.
  lines.once('close', () => answer.resolve(''));
  try {
    return await answer.promise;
  } finally {
    process.off('SIGINT', interrupt);
    lines.close();
  }
}

/** Asks on a terminal whether to continue. */
export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  return /^y(es)?$/i.test(await askOnTerminal(`${question} [y/N] `, terminal));
}
