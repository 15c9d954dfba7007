import { Command } from 'commander';
import { type Adding, addCommands } from './add-commands.ts';
import { bold, type Colours, red } from './colours.ts';
import type { CommandList } from './command-list.ts';
import { PROGRAM_DESCRIPTION, PROGRAM_NOTES } from './help-texts.ts';
import type { Output } from './output.ts';
import { fullName, withSubcommands } from './subcommands.ts';

export type ProgramOptions = Adding & {
  readonly commands: CommandList;
  readonly version: string;
  readonly output: Pick<Output, 'data' | 'messages'>;
  readonly colours: Colours;
};

/**
 * The command line: its commands, arguments and flags. Each command is a file, and loading all of them at each start
 * would take a quarter of its time, so those that the parameters do not need are left out.
 */
export async function createProgram({
  commands,
  parameters,
  run,
  ...texts
}: ProgramOptions): Promise<Command> {
  const program = emptyProgram(texts);
  if (!isVersion(parameters[0])) await addCommands(program, commands, { parameters, run });
  for (const command of withSubcommands(program)) {
    command.exitOverride().showHelpAfterError(`See: ${fullName(command)} --help`);
  }
  return program;
}

/** The value of a mistyped flag can be a secret: `--otlp-heders=…`. */
const MISTYPED_FLAG_VALUE = /(?<=^error: unknown option '--[^=]*)=.*(')/s;

function emptyProgram({
  version,
  output,
  colours,
}: Pick<ProgramOptions, 'version' | 'output' | 'colours'>): Command {
  return (
    new Command('locmetrics')
      .description(PROGRAM_DESCRIPTION)
      .usage('<command> [options]')
      .version(
        version,
        '-V, --version',
        'print the version, with the commit and the day of the build',
      )
      .helpOption('-h, --help', 'show help')
      .helpCommand('help [command...]', 'show help of a command')
      .showSuggestionAfterError(true)
      // A command with subcommands can have its own flags: the position of a flag says which command it belongs to.
      .enablePositionalOptions()
      .configureHelp({
        subcommandTerm: (command) => command.name(),
        // Each description says its default in words.
        optionDescription: ({ description }) => description,
        styleTitle: bold,
      })
      .configureOutput({
        writeOut: output.data,
        writeErr: output.messages,
        getOutHasColors: () => colours.data,
        getErrHasColors: () => colours.messages,
        outputError: (text, write) => {
          const shown = text.replace(MISTYPED_FLAG_VALUE, '$1');
          write(colours.messages ? shown.replace(/^.*/, red) : shown);
        },
      })
      .addHelpText('after', PROGRAM_NOTES)
  );
}

function isVersion(parameter: string | undefined): boolean {
  return parameter === '--version' || parameter === '-V';
}
