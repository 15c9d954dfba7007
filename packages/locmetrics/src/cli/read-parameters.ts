import type { Command } from 'commander';

/**
 * Rewrites the parameters for commander, which is too lenient in two cases: `help token create` would
 * show the help of `token`, and `publsh --help` that of the program, without reporting the mistake.
 */
export function readParameters(program: Command, parameters: readonly string[]): readonly string[] {
  const [first, ...rest] = parameters;
  const asked = first === 'help' ? [...rest, '--help'] : parameters;
  const isHelp = asked.includes('--help') || asked.includes('-h');
  return isHelp ? (mistypedCommand(program, asked) ?? asked) : asked;
}

/** The words up to the first unknown command, so that commander reports it. */
function mistypedCommand(
  program: Command,
  parameters: readonly string[],
): readonly string[] | undefined {
  let command = program;
  for (const [index, word] of parameters.entries()) {
    if (command.commands.length === 0 || word.startsWith('-') || word === 'help') return undefined;
    const found = command.commands.find((one) => one.name() === word);
    if (found === undefined) {
      const takesArguments = command.registeredArguments.length > 0;
      return takesArguments ? undefined : parameters.slice(0, index + 1);
    }
    command = found;
  }
  return undefined;
}
