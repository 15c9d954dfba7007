import { Command, type CommanderError, Option, type OptionValues } from 'commander';
import type { SettingFlags } from '../config/read-config.ts';
import {
  flagOf,
  SETTING_KEYS,
  SETTINGS,
  type Setting,
  type SettingKey,
} from '../config/settings.ts';

/** Exit codes of the command. */
export const EXIT_CODES = { done: 0, failed: 1, usage: 2 } as const;

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
};

const ALL_SETTINGS = SETTING_KEYS;
const PUBLISH_SETTINGS = ['data', 'publishMemoryBytes', 'threads'] as const;
const DATA_SETTINGS = ['data'] as const;

/** The command line: names, flags and help texts. */
export function createProgram(version: string, actions: Actions): Command {
  const program = new Command('locmetrics')
    .description('Location metrics data service: publish files, serve records to those you allow.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help of a command')
    .showHelpAfterError('Run it with --help to see how it is used.')
    .showSuggestionAfterError(true)
    .addHelpText('after', PROGRAM_HELP);

  withSettings(
    program.command('demo').description('serve the built-in sample, published on the first start'),
    ALL_SETTINGS,
  ).action((options) => actions.demo(readFlags(options)));

  withSettings(
    program.command('serve').description('serve what is published in the data directory'),
    ALL_SETTINGS,
  )
    .addHelpText('after', SERVE_HELP)
    .action((options) => actions.serve(readFlags(options)));

  withSettings(
    program
      .command('publish')
      .description('publish the datasets of a manifest, all or the named ones')
      .argument('<manifest>', 'path of locmetrics.yaml')
      .argument('[datasets...]', 'names of datasets; default: all')
      .option('--json', 'print the new versions as JSON'),
    PUBLISH_SETTINGS,
  )
    .addHelpText('after', PUBLISH_HELP)
    .action((manifest, datasets, options) =>
      actions.publish(manifest, datasets, readFlags(options)),
    );

  const organisation = program.command('org').description('organisations that tokens belong to');
  withSettings(
    organisation
      .command('create')
      .description('create an organisation')
      .argument('<name>', 'its name for people')
      .option('--id <id>', 'its id, the billing context of its requests; default: a new one')
      .option('--json', 'print {"id": …}'),
    DATA_SETTINGS,
  ).action((name, options) => actions.createOrganisation(name, readFlags(options)));
  withSettings(
    organisation
      .command('list')
      .description('list the organisations')
      .option('--json', 'print them as JSON'),
    DATA_SETTINGS,
  ).action((options) => actions.listOrganisations(readFlags(options)));

  const token = program.command('token').description('tokens that requests carry');
  withSettings(
    token
      .command('create')
      .description('create a token; it is shown this once and stored only as a hash')
      .requiredOption('--org <id>', 'organisation the token belongs to')
      .requiredOption('--name <name>', 'what the token is for')
      .option('--expires <duration>', 'how long it works, such as 90d or 24h; default: no end')
      .option('--json', 'print {"token": …}'),
    DATA_SETTINGS,
  ).action((options) => actions.createToken(readFlags(options)));
  withSettings(
    token
      .command('list')
      .description('list tokens, without their text')
      .option('--org <id>', 'only those of one organisation')
      .option('--json', 'print them as JSON'),
    DATA_SETTINGS,
  ).action((options) => actions.listTokens(readFlags(options)));
  withSettings(
    token
      .command('revoke')
      .description('revoke a token; it stops working within a second')
      .argument('<token>', 'id of the token, or its text')
      .option('--json', 'print {"tokenId": …, "revoked": …}'),
    DATA_SETTINGS,
  ).action((text, options) => actions.revokeToken(text, readFlags(options)));

  const config = program.command('config').description('settings of the service');
  withSettings(
    config
      .command('print')
      .description('print the effective settings and where each comes from, without secrets')
      .option('--json', 'print them as JSON'),
    ALL_SETTINGS,
  )
    .addHelpText('after', SERVE_HELP)
    .action((options) => actions.printConfig(readFlags(options)));

  for (const command of withSubcommands(program)) command.exitOverride();
  return program;
}

/** The command, its subcommands and theirs. */
function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** The exit code of what commander threw: it has printed its message already. */
export function exitCodeOf(error: CommanderError): number {
  return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
}

const PROGRAM_HELP = `
Examples:
  locmetrics demo                                  serve the sample on 127.0.0.1:8080
  locmetrics publish data/locmetrics.yaml          publish the datasets of a manifest
  locmetrics org create "City of Somewhere"        create an organisation
  locmetrics token create --org ID --name reports  create a token for it
  locmetrics serve                                 serve what is published

Exit codes: 0 done, 1 failed, 2 wrong usage.`;

const PUBLISH_HELP = `
Everything is checked before anything changes: when a row is wrong, it is reported with its file,
line, field, value and reason, and what is served stays as it was.`;

const SERVE_HELP = `
Every setting --some-name can also be given as LOCMETRICS_SOME_NAME in the environment, or as
some-name: VALUE in the configuration file. A flag goes before the environment, the environment before
the file. "locmetrics config print" shows what is in effect.`;

function withSettings(command: Command, keys: readonly SettingKey[]): Command {
  for (const key of keys) {
    const setting: Setting<unknown> = SETTINGS[key];
    command.addOption(toOption(setting).helpGroup(`${setting.group}:`));
  }
  const file = new Option('--config <file>', CONFIG_DESCRIPTION);
  return command.addOption(file.helpGroup('Data:'));
}

const CONFIG_DESCRIPTION =
  'configuration file; LOCMETRICS_CONFIG in the environment (default: config.yaml in the data directory, where there is one)';

function toOption(setting: Setting<unknown>): Option {
  const { type, description, defaultText } = setting;
  const value = type.isSwitch ? `[${type.placeholder}]` : `<${type.placeholder}>`;
  const text = `${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`;
  return new Option(`${flagOf(setting)} ${value}`, `${text} (default: ${defaultText})`);
}

/** The options of a command, with those of settings apart, by the keys of the settings. */
function readFlags<Options extends OptionValues>(
  options: Options,
): Options & { readonly settings: SettingFlags } {
  const settings = SETTING_KEYS.flatMap((key) => {
    const given: unknown = options[toOption(SETTINGS[key]).attributeName()];
    return given === undefined ? [] : [[key, String(given)]];
  });
  const config: unknown = options['config'];
  const file = config === undefined ? {} : { config: String(config) };
  return { ...options, settings: { ...Object.fromEntries(settings), ...file } };
}
