import { Argument, Command } from 'commander';
import type { SettingFlags } from '../config/read-config.ts';
import { SETTING_KEYS } from '../config/settings.ts';
import { bold, type Colours, red } from './colours.ts';
import {
  COMMAND_TEXTS,
  type CommandName,
  type CommandText,
  PROGRAM_TEXT,
} from './command-texts.ts';
import { examplesText, PROGRAM_NOTES } from './help-texts.ts';
import type { Output } from './output.ts';
import { readFlags, withSettings } from './setting-options.ts';
import { SHELLS, type Shell } from './shells.ts';
import { fullName, withSubcommands } from './subcommands.ts';

/** Flags that every command has: those of the settings that it uses, read apart. */
type CommonFlags = { readonly settings: SettingFlags };
type JsonFlags = CommonFlags & { readonly json?: boolean };

/** What each command starts; the composition root hands them in. */
export type Actions = {
  readonly demo: (flags: CommonFlags) => Promise<void>;
  readonly serve: (flags: CommonFlags) => Promise<void>;
  readonly publish: (
    manifest: string,
    datasets: readonly string[],
    flags: JsonFlags,
  ) => Promise<void>;
  readonly createOrganisation: (
    name: string,
    flags: JsonFlags & { readonly id?: string },
  ) => Promise<void>;
  readonly listOrganisations: (flags: JsonFlags) => Promise<void>;
  readonly createToken: (
    flags: JsonFlags & { readonly org: string; readonly name: string; readonly expires?: string },
  ) => Promise<void>;
  readonly listTokens: (flags: JsonFlags & { readonly org?: string }) => Promise<void>;
  readonly revokeToken: (token: string, flags: JsonFlags) => Promise<void>;
  readonly printConfig: (flags: JsonFlags) => Promise<void>;
  readonly printCompletion: (program: Command, shell: Shell) => Promise<void>;
};

const ALL_SETTINGS = SETTING_KEYS;
const PUBLISH_SETTINGS = ['data', 'publishMemoryBytes', 'threads'] as const;
const DATA_SETTINGS = ['data'] as const;

/** What stands behind a mistyped flag can be a secret: `--otlp-heders=…`. */
const MISTYPED_FLAG_VALUE = /(?<=^error: unknown option '--[^=]*)=.*(')/s;

export type ProgramOptions = {
  readonly version: string;
  readonly actions: Actions;
  readonly output: Pick<Output, 'data' | 'messages'>;
  readonly colours: Colours;
};

/** The command line: its commands, arguments and flags. */
export function createProgram({ version, actions, output, colours }: ProgramOptions): Command {
  const program = new Command('locmetrics')
    .description(PROGRAM_TEXT.description)
    .usage('<command> [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command...]', 'show help of a command')
    .showSuggestionAfterError(true)
    .configureHelp({ subcommandTerm: (command) => command.name(), styleTitle: bold })
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
    .addHelpText('after', PROGRAM_NOTES);

  withSettings(addCommand(program, 'demo'), ALL_SETTINGS).action((options) =>
    actions.demo(readFlags(options)),
  );

  withSettings(addCommand(program, 'serve'), ALL_SETTINGS).action((options) =>
    actions.serve(readFlags(options)),
  );

  withSettings(
    addCommand(program, 'publish')
      .argument('<manifest>', 'path of locmetrics.yaml')
      .argument('[datasets...]', 'names of datasets; default: all')
      .option('--json', 'print the new versions and served metrics as JSON'),
    PUBLISH_SETTINGS,
  ).action((manifest, datasets, options) =>
    actions.publish(manifest, datasets, readFlags(options)),
  );

  const organisation = addGroup(program, 'org');
  withSettings(
    addCommand(organisation, 'org create')
      .argument('<name>', 'its name for people')
      .option('--id <id>', 'its id, the billing context of its requests; default: a new one')
      .option('--json', 'print its id as JSON'),
    DATA_SETTINGS,
  ).action((name, options) => actions.createOrganisation(name, readFlags(options)));
  withSettings(
    addCommand(organisation, 'org list').option('--json', 'print them as JSON'),
    DATA_SETTINGS,
  ).action((options) => actions.listOrganisations(readFlags(options)));

  const token = addGroup(program, 'token');
  withSettings(
    addCommand(token, 'token create')
      .requiredOption('--org <id>', 'organisation the token belongs to; required')
      .requiredOption('--name <name>', 'what the token is for; required')
      .option('--expires <duration>', 'how long it works, such as 90d or 24h; default: no end')
      .option('--json', 'print the token, its id and its end as JSON'),
    DATA_SETTINGS,
  ).action((options) => actions.createToken(readFlags(options)));
  withSettings(
    addCommand(token, 'token list')
      .option('--org <id>', 'only those of one organisation')
      .option('--json', 'print them as JSON'),
    DATA_SETTINGS,
  ).action((options) => actions.listTokens(readFlags(options)));
  withSettings(
    addCommand(token, 'token revoke')
      .argument('<token>', 'id of the token, or its text')
      .option('--json', 'print its id and when it was revoked as JSON'),
    DATA_SETTINGS,
  ).action((text, options) => actions.revokeToken(text, readFlags(options)));

  withSettings(
    addCommand(addGroup(program, 'config'), 'config print').option('--json', 'print them as JSON'),
    ALL_SETTINGS,
  ).action((options) => actions.printConfig(readFlags(options)));

  addCommand(program, 'completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell) => actions.printCompletion(program, shell));

  for (const command of withSubcommands(program)) {
    command.exitOverride().showHelpAfterError(`See: ${fullName(command)} --help`);
  }
  return program;
}

/** A command that does something; its name is the whole of it, for example `token create`. */
function addCommand(parent: Command, name: CommandName): Command {
  const { summary, description, examples }: CommandText = COMMAND_TEXTS[name];
  return parent
    .command(name.split(' ').at(-1) ?? name)
    .summary(summary)
    .description(description)
    .addHelpText('after', examplesText(examples));
}

/** A command whose subcommands do something. */
function addGroup(parent: Command, name: CommandName): Command {
  return addCommand(parent, name).usage('<command> [options]').helpCommand(false);
}
