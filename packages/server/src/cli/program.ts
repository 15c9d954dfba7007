import { Argument, Command, Option } from 'commander';
import { ConfigError } from '../config/config-error.ts';
import { quote } from '../config/quote.ts';
import type { SettingFlags } from '../config/read-config.ts';
import { SETTING_KEYS, type SettingKey } from '../config/settings.ts';
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

/** Flags that each command has: those of its settings, parsed separately. */
type CommonFlags = { readonly settings: SettingFlags };
type JsonFlags = CommonFlags & { readonly json?: boolean };

export type UsageFlags = JsonFlags & {
  readonly org?: string;
  readonly from?: string;
  readonly to?: string;
  readonly by?: string;
  readonly records?: boolean;
  readonly csv?: boolean;
};

/** The function of each command; the composition root passes them in. */
export type Actions = {
  readonly demo: (flags: CommonFlags) => Promise<void>;
  readonly serve: (flags: CommonFlags) => Promise<void>;
  readonly publish: (
    manifest: string,
    datasets: readonly string[],
    flags: JsonFlags & PublishFlags,
  ) => Promise<void>;
  readonly init: (
    files: readonly string[],
    flags: CommonFlags & {
      readonly output?: string;
      readonly force?: boolean;
      readonly schema?: boolean;
    },
  ) => Promise<void>;
  readonly inspect: (files: readonly string[], flags: CommonFlags) => Promise<void>;
  readonly check: (
    manifest: string,
    datasets: readonly string[],
    flags: JsonFlags & PublishFlags,
  ) => Promise<void>;
  readonly listVersions: (dataset: string | undefined, flags: JsonFlags) => Promise<void>;
  readonly withdrawVersion: (version: string, flags: JsonFlags & SwitchFlags) => Promise<void>;
  readonly removeDataset: (
    dataset: string,
    flags: JsonFlags & {
      readonly dryRun?: boolean;
      readonly withMetrics?: boolean;
      readonly yes?: boolean;
    },
  ) => Promise<void>;
  readonly rollBack: (
    dataset: string,
    version: string | undefined,
    flags: JsonFlags & SwitchFlags & { readonly together?: boolean },
  ) => Promise<void>;
  readonly compareVersions: (
    dataset: string,
    before: string | undefined,
    after: string | undefined,
    flags: JsonFlags,
  ) => Promise<void>;
  readonly verifyVersions: (
    dataset: string | undefined,
    flags: JsonFlags & { readonly repair?: boolean },
  ) => Promise<void>;
  readonly collectGarbage: (flags: JsonFlags) => Promise<void>;
  readonly recoverCurrent: (
    flags: JsonFlags & {
      readonly current?: readonly string[];
      readonly dryRun?: boolean;
      readonly yes?: boolean;
    },
  ) => Promise<void>;
  readonly backUp: (target: string, flags: JsonFlags) => Promise<void>;
  readonly createOrganisation: (
    name: string,
    flags: JsonFlags & { readonly id?: string },
  ) => Promise<void>;
  readonly listOrganisations: (flags: JsonFlags) => Promise<void>;
  readonly suspendOrganisation: (organisation: string, flags: JsonFlags) => Promise<void>;
  readonly resumeOrganisation: (organisation: string, flags: JsonFlags) => Promise<void>;
  readonly createToken: (
    flags: JsonFlags & {
      readonly org: string;
      readonly name: string;
      readonly scope: readonly string[];
      readonly expires?: string;
    },
  ) => Promise<void>;
  readonly listTokens: (organisation: string | undefined, flags: JsonFlags) => Promise<void>;
  readonly rotateToken: (
    token: string,
    flags: JsonFlags & { readonly overlap?: string },
  ) => Promise<void>;
  readonly revokeToken: (token: string, flags: JsonFlags) => Promise<void>;
  readonly printUsage: (flags: UsageFlags) => Promise<void>;
  readonly explore: (
    flags: JsonFlags & { readonly org: string; readonly scope: readonly string[] },
  ) => Promise<void>;
  readonly explain: (
    operation: string,
    request: string,
    flags: JsonFlags & { readonly org?: string },
  ) => Promise<void>;
  readonly addGrant: (
    organisation: string,
    pattern: string,
    flags: JsonFlags & GrantFlags,
  ) => Promise<void>;
  readonly listGrants: (organisation: string | undefined, flags: JsonFlags) => Promise<void>;
  readonly checkGrants: (flags: JsonFlags & { readonly org?: string }) => Promise<void>;
  readonly removeGrant: (grant: string, flags: JsonFlags) => Promise<void>;
  readonly setLimits: (organisation: string, flags: JsonFlags & LimitFlags) => Promise<void>;
  readonly listLimits: (organisation: string | undefined, flags: JsonFlags) => Promise<void>;
  readonly printAudit: (
    organisation: string | undefined,
    flags: JsonFlags & { readonly since?: string; readonly limit?: string },
  ) => Promise<void>;
  readonly printConfig: (flags: JsonFlags) => Promise<void>;
  readonly printCompletion: (program: Command, shell: Shell) => Promise<void>;
};

/** The function of a command, which prints to the output. */
export type Action<Name extends keyof Actions> = (
  output: Output,
  ...given: Parameters<Actions[Name]>
) => Promise<void>;

/** The flags of a publish beside its settings. */
export type PublishFlags = {
  readonly files?: string;
  readonly append?: boolean;
  readonly replacePeriod?: string;
  readonly dryRun?: boolean;
  readonly acceptChanges?: boolean;
  readonly withoutRowFiles?: boolean;
} & SwitchFlags;

/** Confirms a switch of versions that takes something from grants. */
type SwitchFlags = { readonly acceptGrantLosses?: boolean };

/** The restrictions of a grant; each list has one item per occurrence of its flag. */
export type GrantFlags = {
  readonly filter: readonly string[];
  readonly field: readonly string[];
  readonly component: readonly string[];
  readonly dimension: readonly string[];
  readonly period?: string;
  readonly feature: readonly string[];
  readonly relatedComponent: readonly string[];
  readonly relatedFeature: readonly string[];
  readonly from?: string;
  readonly until?: string;
  readonly showSmallCells?: boolean;
  readonly liftDefaultFilters?: boolean;
};

type LimitFlags = {
  readonly requestsPerSecond?: string;
  readonly burst?: string;
  readonly rowsPerDay?: string;
  readonly rowsPerMonth?: string;
  readonly concurrentQueries?: string | undefined;
};

const ACCEPT_GRANT_LOSSES =
  'go on even if grants lose a dataset, metric, field, component or dimension';

const FILES_DESCRIPTION =
  'directory of the files of the manifest; default: the directory of the manifest';

const SCOPES_DESCRIPTION =
  'allowed uses: catalog, metrics, usage, operate, admin; separated by commas or repeated; default: catalog,metrics,usage';

const MANIFEST_FILE = 'locmetrics.yaml';

const ALL_SETTINGS = SETTING_KEYS;
const DATA_SETTINGS = ['data'] as const;
const READING_SETTINGS = [...DATA_SETTINGS, 'publishMemoryBytes', 'threads'] as const;
const RETENTION_SETTINGS = [...DATA_SETTINGS, 'versionsKept', 'versionsKeptForMs'] as const;
const SWITCH_SETTINGS = [...RETENTION_SETTINGS, 'webhook', 'webhookSecret'] as const;
const PUBLISH_SETTINGS = [
  ...SWITCH_SETTINGS,
  'publishMemoryBytes',
  'publishUnpackedBytes',
  'threads',
] as const;

const CHECK_SETTINGS = [
  ...DATA_SETTINGS,
  'publishMemoryBytes',
  'publishUnpackedBytes',
  'threads',
] as const;

const INIT_SETTINGS = ['publishMemoryBytes', 'publishUnpackedBytes', 'threads'] as const;
const FILES_ARGUMENT =
  'files of CSV, TSV, xlsx, Parquet, JSON, GeoJSON, GeoPackages, shapefiles in zip archives, or addresses of them';

/** The value of a mistyped flag can be a secret: `--otlp-heders=…`. */
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
    // A command with subcommands can have its own flags: the position of a flag says which command it belongs to.
    .enablePositionalOptions()
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
  const settingsOf = new Map<Command, readonly SettingKey[]>();
  const add = (parent: Command, name: CommandName, settings: readonly SettingKey[]): Command => {
    const command = addCommand(parent, name);
    settingsOf.set(command, settings);
    return command;
  };

  add(program, 'demo', ALL_SETTINGS).action((options) => actions.demo(readFlags(options)));

  add(program, 'serve', ALL_SETTINGS).action((options) => actions.serve(readFlags(options)));

  add(program, 'publish', PUBLISH_SETTINGS)
    .argument('<manifest>', 'path of the manifest, such as locmetrics.yaml')
    .argument('[datasets...]', 'names of datasets; default: all')
    .option('--files <directory>', FILES_DESCRIPTION)
    .addOption(
      new Option('--append', 'add the rows of the files to the current version').conflicts(
        'replacePeriod',
      ),
    )
    .option(
      '--replace-period <period>',
      'replace the rows of a period, such as 2024-01, 2024, 2024-01-05 or 2024-01-01/2024-03-31',
    )
    .option('--dry-run', 'the same as locmetrics check')
    .option('--accept-changes', 'publish even if more changed than the manifest allows')
    .option(
      '--without-row-files',
      'publish sooner; answers are slower until locmetrics verify --repair makes the row files',
    )
    .option('--accept-grant-losses', ACCEPT_GRANT_LOSSES)
    .option('--json', 'print the reports and the metrics as JSON')
    .action((manifest, datasets, options) =>
      actions.publish(manifest, datasets, readFlags(options)),
    );

  add(program, 'init', INIT_SETTINGS)
    .argument('<files...>', FILES_ARGUMENT)
    .option('--output <file>', `file to write, or - for standard output; default: ${MANIFEST_FILE}`)
    .option('--force', 'replace the file if it exists')
    .option('--schema', 'copy the JSON Schema beside the manifest, for editors of other machines')
    .action((files, options) => actions.init(files, readFlags(options)));

  add(program, 'inspect', INIT_SETTINGS)
    .argument('<files...>', FILES_ARGUMENT)
    .action((files, options) => actions.inspect(files, readFlags(options)));

  add(program, 'check', CHECK_SETTINGS)
    .argument('[manifest]', 'path of the manifest', MANIFEST_FILE)
    .argument('[datasets...]', 'names of datasets; default: all')
    .option('--files <directory>', FILES_DESCRIPTION)
    .addOption(
      new Option('--append', 'check what publish --append would do').conflicts('replacePeriod'),
    )
    .option('--replace-period <period>', 'check what publish --replace-period would do')
    .option('--accept-changes', 'check without the thresholds of the manifest')
    .option('--accept-grant-losses', ACCEPT_GRANT_LOSSES)
    .option('--json', 'print the problems, the reports and the metrics as JSON')
    .action((manifest, datasets, options) => actions.check(manifest, datasets, readFlags(options)));

  const versions = add(program, 'versions', DATA_SETTINGS)
    .argument('[dataset]', 'name of a dataset; default: all')
    .option('--json', 'print the versions and their history as JSON')
    .usage('[options] [dataset]')
    .helpCommand(false)
    .action((dataset, options) => actions.listVersions(dataset, readFlags(options)));
  add(versions, 'versions withdraw', SWITCH_SETTINGS)
    .argument('<version>', 'name of the version, from the list')
    .option('--accept-grant-losses', ACCEPT_GRANT_LOSSES)
    .option('--json', 'print the new current versions as JSON')
    .action((version, options) => actions.withdrawVersion(version, readFlags(options)));
  add(program, 'rollback', SWITCH_SETTINGS)
    .argument('<dataset>', 'name of the dataset')
    .argument('[version]', 'version to switch to; default: the one that was current before')
    .option('--together', 'also roll back the datasets that were published with this one')
    .option('--accept-grant-losses', ACCEPT_GRANT_LOSSES)
    .option('--json', 'print the new current versions as JSON')
    .action((dataset, version, options) => actions.rollBack(dataset, version, readFlags(options)));
  const dataset = addGroup(program, 'dataset');
  add(dataset, 'dataset remove', SWITCH_SETTINGS)
    .argument('<dataset>', 'name of the dataset')
    .option('--dry-run', 'print what would be removed, and remove nothing')
    .option('--with-metrics', 'also remove metrics of other datasets that need its layers')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print what was removed as JSON')
    .action((name, options) => actions.removeDataset(name, readFlags(options)));
  add(program, 'diff', READING_SETTINGS)
    .argument('<dataset>', 'name of the dataset')
    .argument('[before]', 'older version; default: the one published before the newer one')
    .argument('[after]', 'newer version; default: the current one')
    .option('--json', 'print the differences as JSON')
    .action((dataset, before, after, options) =>
      actions.compareVersions(dataset, before, after, readFlags(options)),
    );
  add(program, 'verify', READING_SETTINGS)
    .argument('[dataset]', 'name of a dataset; default: all')
    .option('--repair', 'make row files that cannot be used again, from the column files')
    .option('--json', 'print the result as JSON')
    .action((dataset, options) => actions.verifyVersions(dataset, readFlags(options)));
  add(program, 'gc', RETENTION_SETTINGS)
    .option('--json', 'print what was removed as JSON')
    .action((options) => actions.collectGarbage(readFlags(options)));

  add(program, 'recover', DATA_SETTINGS)
    .option(
      '--current <version>',
      'make this version current instead of the last published one; repeatable, one per dataset',
      collect,
      [],
    )
    .addOption(
      new Option('--dry-run', 'print what would be done, and change nothing').conflicts('yes'),
    )
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print the result as JSON')
    .action((options) => actions.recoverCurrent(readFlags(options)));

  add(program, 'backup', DATA_SETTINGS)
    .argument('<directory>', 'directory for the copies; created if it does not exist')
    .option('--json', 'print the written files as JSON')
    .action((target, options) => actions.backUp(target, readFlags(options)));

  const organisation = addGroup(program, 'org');
  add(organisation, 'org create', DATA_SETTINGS)
    .argument('<name>', 'display name')
    .option(
      '--id <id>',
      'id, which is the billing context of its requests; default: a generated id',
    )
    .option('--json', 'print the id as JSON')
    .action((name, options) => actions.createOrganisation(name, readFlags(options)));
  add(organisation, 'org list', DATA_SETTINGS)
    .option('--json', 'print them as JSON')
    .action((options) => actions.listOrganisations(readFlags(options)));
  add(organisation, 'org suspend', DATA_SETTINGS)
    .argument('<org>', 'id of the organisation')
    .option('--json', 'print the organisation as JSON')
    .action((id, options) => actions.suspendOrganisation(id, readFlags(options)));
  add(organisation, 'org resume', DATA_SETTINGS)
    .argument('<org>', 'id of the organisation')
    .option('--json', 'print the organisation as JSON')
    .action((id, options) => actions.resumeOrganisation(id, readFlags(options)));

  const token = addGroup(program, 'token');
  add(token, 'token create', DATA_SETTINGS)
    .requiredOption('--org <id>', 'organisation the token belongs to; required')
    .requiredOption('--name <name>', 'what the token is for; required')
    .option('--scope <scope>', SCOPES_DESCRIPTION, collect, [])
    .option('--expires <duration>', 'lifetime, such as 90d or 24h; default: it does not expire')
    .option('--json', 'print the token, its id, scopes and expiry as JSON')
    .action((options) => actions.createToken(readFlags(options)));
  add(token, 'token list', DATA_SETTINGS)
    .argument('[org]', 'id of an organisation; default: all')
    .option('--org <id>', 'the same as the argument')
    .option('--json', 'print them as JSON')
    .action((given, { org, ...options }) =>
      actions.listTokens(eitherOrganisation(given, org), readFlags(options)),
    );
  add(token, 'token rotate', DATA_SETTINGS)
    .argument('<token>', 'id of the token, or its text')
    .option(
      '--overlap <duration>',
      'how long the old token still works, such as 7d or 0s; default: 24h',
    )
    .option('--json', 'print the new token and the expiry of both as JSON')
    .action((text, options) => actions.rotateToken(text, readFlags(options)));
  add(token, 'token revoke', DATA_SETTINGS)
    .argument('<token>', 'id of the token, or its text')
    .option('--json', 'print the id and the time of the revocation as JSON')
    .action((text, options) => actions.revokeToken(text, readFlags(options)));

  const grant = addGroup(program, 'grant');
  add(grant, 'grant add', DATA_SETTINGS)
    .argument('<org>', 'id of the organisation')
    .argument('<pattern>', 'product.dataset or catalog/metric; a * at the end matches any rest')
    .option(
      '--filter <filter>',
      'only records that match, such as "state == CA"; repeatable',
      collect,
      [],
    )
    .option('--field <names>', 'only these fields, separated by commas; repeatable', collect, [])
    .option(
      '--component <id:value>',
      'metrics: only features with this address component; repeatable',
      collect,
      [],
    )
    .option(
      '--dimension <id:value>',
      'metrics: only values with this dimension value; repeatable',
      collect,
      [],
    )
    .option('--period <start/end>', 'metrics: only values within this period')
    .option('--feature <id>', 'metrics: only values of this feature; repeatable', collect, [])
    .option(
      '--related-component <id:value>',
      'metrics: only values of related features with this address component; repeatable',
      collect,
      [],
    )
    .option(
      '--related-feature <id>',
      'metrics: only values of this related feature; repeatable',
      collect,
      [],
    )
    .option('--from <date>', 'first day (UTC) of the grant; default: no start')
    .option('--until <date>', 'last day (UTC) of the grant; default: no end')
    .option('--show-small-cells', 'do not suppress small cells')
    .option(
      '--lift-default-filters',
      'metrics: a request that filters by a component replaces the default filter on it',
    )
    .option('--json', 'print the grant and the names that it matches as JSON')
    .action((organisationId, pattern, options) =>
      actions.addGrant(organisationId, pattern, readFlags(options)),
    );
  add(grant, 'grant list', DATA_SETTINGS)
    .argument('[org]', 'id of an organisation; default: all')
    .option('--org <id>', 'the same as the argument')
    .option('--json', 'print them with all details as JSON')
    .action((given, { org, ...options }) =>
      actions.listGrants(eitherOrganisation(given, org), readFlags(options)),
    );
  add(grant, 'grant check', DATA_SETTINGS)
    .option('--org <id>', 'only the grants of one organisation')
    .option('--json', 'print the grants that do not fit as JSON')
    .action((options) => actions.checkGrants(readFlags(options)));
  add(grant, 'grant remove', DATA_SETTINGS)
    .argument('<grant>', 'id of the grant')
    .option('--json', 'print the grant as JSON')
    .action((grantId, options) => actions.removeGrant(grantId, readFlags(options)));

  const limits = addGroup(program, 'limits');
  add(limits, 'limits set', DATA_SETTINGS)
    .argument('<org>', 'id of the organisation')
    .option('--requests-per-second <n>', 'average rate of requests')
    .option('--burst <n>', 'requests allowed at once; default: those of one second')
    .option('--rows-per-day <n>', 'rows of answers per day (UTC)')
    .option('--rows-per-month <n>', 'rows of answers per calendar month (UTC)')
    .option('--concurrent <n>', 'requests answered at the same time')
    .option('--json', 'print all limits of the organisation as JSON')
    .action((organisationId, { concurrent, ...options }) =>
      actions.setLimits(organisationId, {
        ...readFlags(options),
        concurrentQueries: concurrent,
      }),
    );
  add(limits, 'limits list', DATA_SETTINGS)
    .argument('[org]', 'id of an organisation; default: all with limits')
    .option('--org <id>', 'the same as the argument')
    .option('--json', 'print them as JSON')
    .action((given, { org, ...options }) =>
      actions.listLimits(eitherOrganisation(given, org), readFlags(options)),
    );

  add(program, 'audit', DATA_SETTINGS)
    .argument('[org]', 'id of an organisation; default: all changes')
    .option('--org <id>', 'the same as the argument')
    .option('--since <when>', 'since a day (UTC), such as 2026-01-31, or a duration, such as 24h')
    .option('--limit <n>', 'maximum number of entries; default: 100')
    .option('--json', 'print them as JSON')
    .action((given, { org, ...options }) =>
      actions.printAudit(eitherOrganisation(given, org), readFlags(options)),
    );

  add(program, 'usage', DATA_SETTINGS)
    .option('--org <id>', 'only the usage of one organisation')
    .option('--from <day>', 'first day, YYYY-MM-DD; default: the first of the month')
    .option('--to <day>', 'last day, inclusive; default: today')
    .option(
      '--by <groups>',
      'day, dataset, operation, token or organisation, separated by commas; default: organisation',
    )
    .option('--records', 'print single requests instead of sums')
    .addOption(new Option('--csv', 'print it as CSV').conflicts('json'))
    .option('--json', 'print it as JSON')
    .action((options) => actions.printUsage(readFlags(options)));
  add(program, 'explore', DATA_SETTINGS)
    .requiredOption('--org <id>', 'organisation whose data is explored; required')
    .option('--scope <scope>', SCOPES_DESCRIPTION, collect, [])
    .option('--json', 'print the address, the id, scopes and end of the link as JSON')
    .action((options) => actions.explore(readFlags(options)));

  add(program, 'explain', DATA_SETTINGS)
    .argument('<operation>', 'listRecords, searchFieldValues or searchMetricValues')
    .argument('<request>', 'request of the operation, as JSON')
    .option(
      '--org <id>',
      'organisation whose grants apply; default: that of billingContext, else all data is seen',
    )
    .option('--json', 'print the queries as JSON')
    .action((operation, request, options) =>
      actions.explain(operation, request, readFlags(options)),
    );

  add(addGroup(program, 'config'), 'config print', ALL_SETTINGS)
    .option('--json', 'print them as JSON')
    .action((options) => actions.printConfig(readFlags(options)));

  addCommand(program, 'completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell) => actions.printCompletion(program, shell));

  // The settings are shown after the other options.
  for (const [command, settings] of settingsOf) withSettings(command, settings);
  for (const command of withSubcommands(program)) {
    command.exitOverride().showHelpAfterError(`See: ${fullName(command)} --help`);
  }
  return program;
}

/** An organisation can be named by an argument or by a flag. */
function eitherOrganisation(
  given: string | undefined,
  flag: string | undefined,
): string | undefined {
  if (given !== undefined && flag !== undefined && given !== flag) {
    throw new ConfigError(
      `Two organisations are named: ${quote(given)} and, with --org, ${quote(flag)}.`,
      'Name one of them.',
    );
  }
  return given ?? flag;
}

/** Collects the values of a repeatable flag. */
function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** A command with an action; `name` is its full name, for example `token create`. */
function addCommand(parent: Command, name: CommandName): Command {
  const { summary, description, examples }: CommandText = COMMAND_TEXTS[name];
  return parent
    .command(name.split(' ').at(-1) ?? name)
    .summary(summary)
    .description(description)
    .addHelpText('after', examplesText(examples));
}

/** A group of subcommands, without an action. */
function addGroup(parent: Command, name: CommandName): Command {
  return addCommand(parent, name).usage('<command> [options]').helpCommand(false);
}
