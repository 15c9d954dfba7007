import { Command, type CommanderError } from 'commander';
import { SETTINGS, type Setting } from '../config/settings.ts';

/** Exit codes of the command. */
export const EXIT_CODES = { done: 0, failed: 1, usage: 2 } as const;

export type ServeFlags = {
  readonly data?: string;
  readonly http?: string;
  readonly grpc?: string;
  readonly grpcPlaintext?: string;
  readonly tlsCertificate?: string;
  readonly tlsKey?: string;
  readonly queryTimeout?: string;
};
type DataFlags = { readonly data?: string };
type JsonFlags = DataFlags & { readonly json?: boolean };

/** What each command starts; the composition root hands them in. */
export type Actions = {
  readonly demo: (flags: ServeFlags) => Promise<void>;
  readonly serve: (flags: ServeFlags) => Promise<void>;
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
};

const SERVE_SETTINGS = [
  'data',
  'http',
  'grpc',
  'grpcPlaintext',
  'tlsCertificate',
  'tlsKey',
  'queryTimeout',
] as const;

/** The command line: names, flags and help texts. */
export function createProgram(version: string, actions: Actions): Command {
  const program = new Command('locmetrics')
    .description('Location metrics data service: publish files, serve records to those you allow.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help of a command')
    .showHelpAfterError('Run it with --help to see how it is used.')
    .showSuggestionAfterError(true)
    .exitOverride()
    .addHelpText('after', PROGRAM_HELP);

  withSettings(
    program.command('demo').description('serve the built-in sample, published on the first start'),
    SERVE_SETTINGS,
  ).action((flags: ServeFlags) => actions.demo(flags));

  withSettings(
    program.command('serve').description('serve what is published in the data directory'),
    SERVE_SETTINGS,
  ).action((flags: ServeFlags) => actions.serve(flags));

  withSettings(
    program
      .command('publish')
      .description('publish the datasets of a manifest, all or the named ones')
      .argument('<manifest>', 'path of locmetrics.yaml')
      .argument('[datasets...]', 'names of datasets; default: all'),
    ['data'],
  )
    .option('--json', 'print the new versions as JSON')
    .addHelpText('after', PUBLISH_HELP)
    .action((manifest: string, datasets: string[], flags: JsonFlags) =>
      actions.publish(manifest, datasets, flags),
    );

  const organisation = program.command('org').description('organisations that tokens belong to');
  withSettings(
    organisation
      .command('create')
      .description('create an organisation')
      .argument('<name>', 'its name for people')
      .option('--id <id>', 'its id, the billing context of its requests; default: a new one'),
    ['data'],
  )
    .option('--json', 'print {"id": …}')
    .action(actions.createOrganisation);
  withSettings(organisation.command('list').description('list the organisations'), ['data'])
    .option('--json', 'print them as JSON')
    .action(actions.listOrganisations);

  const token = program.command('token').description('tokens that requests carry');
  withSettings(
    token
      .command('create')
      .description('create a token; it is shown this once and stored only as a hash')
      .requiredOption('--org <id>', 'organisation the token belongs to')
      .requiredOption('--name <name>', 'what the token is for')
      .option('--expires <duration>', 'how long it works, such as 90d or 24h; default: no end'),
    ['data'],
  )
    .option('--json', 'print {"token": …}')
    .action(actions.createToken);
  withSettings(
    token
      .command('list')
      .description('list tokens, without their text')
      .option('--org <id>', 'only those of one organisation'),
    ['data'],
  )
    .option('--json', 'print them as JSON')
    .action(actions.listTokens);
  withSettings(
    token
      .command('revoke')
      .description('revoke a token; it stops working within a second')
      .argument('<token>', 'id of the token, or its text'),
    ['data'],
  )
    .option('--json', 'print {"tokenId": …, "revoked": …}')
    .action(actions.revokeToken);

  for (const command of [
    program,
    ...program.commands,
    ...organisation.commands,
    ...token.commands,
  ]) {
    command.exitOverride();
  }
  return program;
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

function withSettings(command: Command, names: readonly (keyof typeof SETTINGS)[]): Command {
  for (const name of names) {
    const { flag, description, environment, defaultValue }: Setting = SETTINGS[name];
    command.option(flag, `${description} (env: ${environment}, default: ${defaultValue})`);
  }
  return command;
}
