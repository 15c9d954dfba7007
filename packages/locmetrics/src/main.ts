import { calledAs, writerAsCalled } from './cli/called-as.ts';
import { type Colours, findColours } from './cli/colours.ts';
import { createProgram, type ProgramOptions } from './cli/create-program.ts';
import { EXIT_CODES } from './cli/exit-codes.ts';
import { type Output, processOutput } from './cli/output.ts';
import { readParameters } from './cli/read-parameters.ts';
import { COMMANDS } from './commands/all.ts';

/**
 * The composition root. A command loads its parts when it runs, so that `--help` and a mistyped command
 * answer at once. Returns the exit code; a started service keeps running.
 */
export async function main(
  parameters: readonly string[],
  {
    output: plainOutput = processOutput(),
    colours = findColours(process, process.env),
  }: { readonly output?: Output; readonly colours?: Colours } = {},
): Promise<number> {
  const asCalled = writerAsCalled(calledAs(), Object.keys(COMMANDS));
  const output: Output = {
    ...plainOutput,
    messages: (text) => plainOutput.messages(asCalled(text)),
  };
  const options: ProgramOptions = {
    commands: COMMANDS,
    parameters,
    run: (command, given) =>
      command.run(output, given, {
        asCalled,
        program: () => createProgram({ ...options, parameters: 'all' }),
      }),
    version: await versionFor(parameters),
    // Help is text for the reader too; all else that goes to the standard output is data.
    output: { ...output, data: (text) => plainOutput.data(asCalled(text)) },
    colours,
  };
  const program = await createProgram(options);
  try {
    await program.parseAsync([...readParameters(program, parameters)], { from: 'user' });
    return EXIT_CODES.done;
  } catch (error) {
    const { reportError } = await import('./cli/report-error.ts');
    return reportError(error, output, colours);
  }
}

/** In a clone git knows the commit of the version, so only a command that prints it pays for that. */
async function versionFor(parameters: readonly string[]): Promise<string> {
  if (!parameters.some((one) => one === '--version' || one === '-V')) return '';
  const { buildText } = await import('./compose/build-info.ts');
  return buildText();
}
