import { askOnTerminal, type Terminal } from './ask-on-terminal.ts';

/** Asks on a terminal whether to continue. */
export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  return /^y(es)?$/i.test(await askOnTerminal(`${question} [y/N] `, terminal));
}
