import {
  TABLE_FORMAT_NAMES,
  TABLE_FORMATS,
  type TableFormat,
} from '@locmetrics/contract/table-formats';
import { Argument, Command, Option } from 'commander';
import { ConfigError } from '../config/config-error.ts';
import { quote } from '../config/quote.ts';
import type { SettingFlags } from '../config/read-config.ts';
import { SETTING_KEYS, type SettingKey } from '../config/settings.ts';
import { SCOPES } from '../domain/scope.ts';
import { USAGE_GROUPS } from '../domain/usage-group.ts';
import { bold, type Colours, red } from './colours.ts';
import {
  COMMAND_TEXTS,
  type CommandName,
  type CommandText,
  PROGRAM_TEXT,
} from './command-texts.ts';
import { examplesText, PROGRAM_NOTES } from './help-texts.ts';
import { ListOption, repeatable } from './list-option.ts';
import type { Output } from './output.ts';
import { readFlags, withSettings } from './setting-options.ts';
import { SHELLS, type Shell } from './shells.ts';
import { fullName, withSubcommands } from './subcommands.ts';

/** Flags that each command has: those of its settings, parsed separately. */
type CommonFlags = { readonly settings: SettingFlags };
type JsonFlags = CommonFlags & Switches<'json'>;

/** Flags without a value, those with a text, and those that are repeated: a list with one item per occurrence. */
type Switches<Name extends string> = { readonly [Flag in Name]?: boolean };
type Texts<Name extends string> = { readonly [Flag in Name]?: string };
type Lists<Name extends string> = { readonly [Flag in Name]: readonly string[] };

export type UsageFlags = JsonFlags &
  Texts<'org' | 'from' | 'to' | 'by'> &
  Switches<'records' | TableFormat>;

/** Confirms a switch of versions that takes something from grants. */
type SwitchFlags = Switches<'acceptGrantLosses'>;

/** The flags of a publish beside its settings. */
export type PublishFlags = SwitchFlags &
  Texts<'files' | 'replacePeriod'> &
  Switches<'append' | 'dryRun' | 'acceptChanges' | 'withoutRowFiles'>;

/** The restrictions of a grant. */
export type GrantFlags = Lists<
  'filter' | 'field' | 'component' | 'dimension' | 'feature' | 'relatedComponent' | 'relatedFeature'
> &
  Texts<'period' | 'from' | 'until'> &
  Switches<'showSmallCells' | 'liftDefaultFilters' | 'yes'>;

type LimitFlags = Texts<'requestsPerSecond' | 'burst' | 'rowsPerDay' | 'rowsPerMonth'> & {
  readonly concurrentQueries?: string | undefined;
};

type InitFlags = CommonFlags & Texts<'output'> & Switches<'force' | 'schema'>;

/** A command with these arguments; with `--json`, and with these other flags. */
type Run<Given extends unknown[], Flags = unknown> = (
  ...given: [...Given, flags: JsonFlags & Flags]
) => Promise<void>;

type OneDataset = [dataset: string | undefined];
type OneOrganisation = [organisation: string | undefined];

/** The function of each command; the composition root passes them in. */
export type Actions = {
  readonly demo: (flags: CommonFlags) => Promise<void>;
  readonly serve: (flags: CommonFlags) => Promise<void>;
  readonly publish: Run<[manifest: string, datasets: readonly string[]], PublishFlags>;
  readonly init: (files: readonly string[], flags: InitFlags) => Promise<void>;
  readonly inspect: (files: readonly string[], flags: CommonFlags) => Promise<void>;
  readonly check: Run<[manifest: string, datasets: readonly string[]], PublishFlags>;
  readonly listVersions: Run<OneDataset>;
  readonly withdrawVersion: Run<[version: string], SwitchFlags>;
  readonly removeDataset: Run<[dataset: string], Switches<'dryRun' | 'withMetrics' | 'yes'>>;
  readonly rollBack: Run<
    [dataset: string, version: string | undefined],
    SwitchFlags & Switches<'together'>
  >;
  readonly compareVersions: Run<
    [dataset: string, before: string | undefined, after: string | undefined]
  >;
  readonly verifyVersions: Run<OneDataset, Switches<'repair'>>;
  readonly loadTables: Run<OneDataset>;
  readonly fetchFiles: Run<OneDataset>;
  readonly collectGarbage: Run<[]>;
  readonly recoverCurrent: Run<[], Partial<Lists<'current'>> & Switches<'dryRun' | 'yes'>>;
  readonly listNodes: Run<[]>;
  readonly backUp: Run<[target: string]>;
  readonly repairControl: Run<[backup: string]>;
  readonly copyControl: Run<[], Texts<'to' | 'from'>>;
  readonly createOrganisation: Run<[name: string], Texts<'id'>>;
  readonly listOrganisations: Run<[], Switches<'ids'>>;
  readonly suspendOrganisation: Run<[organisation: string]>;
  readonly resumeOrganisation: Run<[organisation: string]>;
  readonly createToken: Run<
    [],
    Required<Texts<'org' | 'name'>> & Lists<'scope'> & Texts<'expires'>
  >;
  readonly listTokens: Run<OneOrganisation>;
  readonly rotateToken: Run<[token: string], Texts<'overlap'>>;
  readonly revokeToken: Run<[token: string]>;
  readonly printUsage: Run<[], UsageFlags>;
  readonly mergeUsage: Run<[]>;
  readonly explore: Run<[], Required<Texts<'org'>> & Lists<'scope'>>;
  readonly explain: Run<[operation: string, request: string], Texts<'org'>>;
  readonly addGrant: Run<[organisation: string, pattern: string], GrantFlags>;
  readonly replaceGrant: Run<[grant: string, pattern: string], GrantFlags>;
  readonly listGrants: Run<OneOrganisation>;
  readonly checkGrants: Run<[], Texts<'org'>>;
  readonly removeGrant: Run<[grant: string]>;
  readonly setLimits: Run<[organisation: string], LimitFlags>;
  readonly listLimits: Run<OneOrganisation>;
  readonly printAudit: Run<OneOrganisation, Texts<'since' | 'limit'>>;
  readonly printConfig: Run<[]>;
  readonly printCompletion: (program: Command, shell: Shell) => Promise<void>;
};

/** The function of a command, which prints to the output. */
export type Action<Name extends keyof Actions> = (
  output: Output,
  ...given: Parameters<Actions[Name]>
) => Promise<void>;

const ACCEPT_GRANT_LOSSES =
  'go on even if grants lose a dataset, metric, field, component or dimension';

const FILES_DESCRIPTION =
  'directory of the files of the manifest; default: the directory of the manifest';

const SCOPES_DESCRIPTION = `allowed uses: ${SCOPES.join(', ')}; separated by commas or repeated; default: catalog,metrics,usage`;

const MANIFEST_FILE = 'locmetrics.yaml';

const ALL_SETTINGS = SETTING_KEYS;
const DATA_SETTINGS = ['data', 'control'] as const;
const CLICKHOUSE_SETTINGS = [
  'clickhouse',
  'clickhousePassword',
  'clickhouseCluster',
  'clickhouseReplicated',
] as const;
/** Of commands that know what is published, also where nodes share it. */
const VERSION_SETTINGS = [...DATA_SETTINGS, ...CLICKHOUSE_SETTINGS] as const;
const READING_SETTINGS = [...DATA_SETTINGS, 'publishMemoryBytes', 'threads'] as const;
const TABLE_SETTINGS = [...READING_SETTINGS, ...CLICKHOUSE_SETTINGS] as const;
const RETENTION_SETTINGS = [
  ...DATA_SETTINGS,
  'versionsKept',
  'versionsKeptForMs',
  ...CLICKHOUSE_SETTINGS,
] as const;
const SWITCH_SETTINGS = [...RETENTION_SETTINGS, 'webhook', 'webhookSecret'] as const;
const INIT_SETTINGS = ['publishMemoryBytes', 'publishUnpackedBytes', 'threads'] as const;
const STEP_SETTINGS = [...INIT_SETTINGS, 'publishStepTimeMs'] as const;
const PUBLISH_SETTINGS = [...SWITCH_SETTINGS, ...STEP_SETTINGS] as const;
const CHECK_SETTINGS = [...VERSION_SETTINGS, ...STEP_SETTINGS] as const;
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
    .addHelpText('after', PROGRAM_NOTES);
  const settingsOf = new Map<Command, readonly SettingKey[]>();
  const add = <Given extends unknown[]>(
    parent: Command,
    name: CommandName,
    settings: readonly SettingKey[],
    action: (...given: Given) => Promise<void>,
  ): Command => {
    const command = addCommand(parent, name);
    settingsOf.set(command, settings);
    // Commander passes the arguments of the command, its options and the command.
    return command.action((...given) =>
      action(...([...given.slice(0, -2), readFlags(given.at(-2))] as Given)),
    );
  };

  add(program, 'demo', ALL_SETTINGS, actions.demo);

  add(program, 'serve', ALL_SETTINGS, actions.serve);

  add(program, 'publish', PUBLISH_SETTINGS, actions.publish)
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
    .option('--json', 'print the reports and the metrics as JSON');

  add(program, 'init', INIT_SETTINGS, actions.init)
    .argument('<files...>', FILES_ARGUMENT)
    .option('--output <file>', `file to write, or - for standard output; default: ${MANIFEST_FILE}`)
    .option('--force', 'replace the file if it exists')
    .option('--schema', 'copy the JSON Schema beside the manifest, for editors of other machines');

  add(program, 'inspect', INIT_SETTINGS, actions.inspect).argument('<files...>', FILES_ARGUMENT);

  add(program, 'check', CHECK_SETTINGS, actions.check)
    .argument('[manifest]', 'path of the manifest', MANIFEST_FILE)
    .argument('[datasets...]', 'names of datasets; default: all')
    .option('--files <directory>', FILES_DESCRIPTION)
    .addOption(
      new Option('--append', 'check what publish --append would do').conflicts('replacePeriod'),
    )
    .option('--replace-period <period>', 'check what publish --replace-period would do')
    .option('--accept-changes', 'check without the thresholds of the manifest')
    .option('--accept-grant-losses', ACCEPT_GRANT_LOSSES)
    .option('--json', 'print the problems, the reports and the metrics as JSON');

  const versions = add(program, 'versions', VERSION_SETTINGS, actions.listVersions)
    .argument('[dataset]', 'name of a dataset, a metric or a version; default: all')
    .option('--json', 'print the versions and their history as JSON')
    .usage('[options] [dataset]')
    .helpCommand(false);
  add(versions, 'versions withdraw', SWITCH_SETTINGS, actions.withdrawVersion)
    .argument('<version>', 'name of a version of a dataset, from the list')
    .option('--accept-grant-losses', ACCEPT_GRANT_LOSSES)
    .option('--json', 'print the new current versions as JSON');
  add(program, 'rollback', SWITCH_SETTINGS, actions.rollBack)
    .argument('<dataset>', 'name of the dataset')
    .argument('[version]', 'version to switch to; default: the one that was current before')
    .option('--together', 'also roll back the datasets that were published with this one')
    .option('--accept-grant-losses', ACCEPT_GRANT_LOSSES)
    .option('--json', 'print the new current versions as JSON');
  const dataset = addGroup(program, 'dataset');
  add(dataset, 'dataset remove', SWITCH_SETTINGS, actions.removeDataset)
    .argument('<dataset>', 'name of the dataset')
    .option('--dry-run', 'print what would be removed, and remove nothing')
    .option('--with-metrics', 'also remove metrics of other datasets that need its layers')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print what was removed as JSON');
  add(program, 'diff', TABLE_SETTINGS, actions.compareVersions)
    .argument('<dataset>', 'name of the dataset')
    .argument('[before]', 'older version; default: the one published before the newer one')
    .argument('[after]', 'newer version; default: the current one')
    .option('--json', 'print the differences as JSON');
  add(program, 'verify', TABLE_SETTINGS, actions.verifyVersions)
    .argument('[dataset]', 'name of a dataset; default: all')
    .option('--repair', 'make row files that cannot be used again, from the column files')
    .option('--json', 'print the result as JSON');
  add(program, 'gc', RETENTION_SETTINGS, actions.collectGarbage).option(
    '--json',
    'print what was removed as JSON',
  );

  add(program, 'recover', VERSION_SETTINGS, actions.recoverCurrent)
    .addOption(
      repeatable(
        '--current <version>',
        'make this version current instead of the last published one; repeatable, one per dataset',
      ),
    )
    .addOption(
      new Option('--dry-run', 'print what would be done, and change nothing').conflicts('yes'),
    )
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print the result as JSON');

  add(program, 'nodes', VERSION_SETTINGS, actions.listNodes).option('--json', 'print them as JSON');

  add(program, 'backup', DATA_SETTINGS, actions.backUp)
    .argument('<directory>', 'directory for the copies; created if it does not exist')
    .option('--json', 'print the written files as JSON');

  const clickhouse = addGroup(program, 'clickhouse');
  add(clickhouse, 'clickhouse load', TABLE_SETTINGS, actions.loadTables)
    .argument('[dataset]', 'name of a dataset; default: all')
    .option('--json', 'print the versions as JSON');
  add(clickhouse, 'clickhouse fetch', TABLE_SETTINGS, actions.fetchFiles)
    .argument('[dataset]', 'name of a dataset; default: all')
    .option('--json', 'print the versions as JSON');

  const control = addGroup(program, 'control');
  add(control, 'control repair', DATA_SETTINGS, actions.repairControl)
    .argument('<backup>', 'directory of a backup, or its control.sqlite')
    .option('--json', 'print the rows as JSON');
  add(control, 'control copy', ['data'], actions.copyControl)
    .addOption(
      new Option('--to <url>', 'copy into this PostgreSQL, which must be empty').conflicts('from'),
    )
    .option('--from <url>', 'copy from this PostgreSQL into the data directory')
    .option('--json', 'print the number of rows by table as JSON');

  const organisation = addGroup(program, 'org');
  add(organisation, 'org create', DATA_SETTINGS, actions.createOrganisation)
    .argument('<name>', 'display name')
    .option(
      '--id <id>',
      'id, which is the billing context of its requests; default: a generated id',
    )
    .option('--json', 'print the id as JSON');
  add(organisation, 'org list', DATA_SETTINGS, actions.listOrganisations)
    .option('--ids', 'print the ids alone, one in each line')
    .addOption(new Option('--json', 'print them as JSON').conflicts('ids'));
  add(organisation, 'org suspend', DATA_SETTINGS, actions.suspendOrganisation)
    .argument('<org>', 'id of the organisation')
    .option('--json', 'print the organisation as JSON');
  add(organisation, 'org resume', DATA_SETTINGS, actions.resumeOrganisation)
    .argument('<org>', 'id of the organisation')
    .option('--json', 'print the organisation as JSON');

  const token = addGroup(program, 'token');
  add(token, 'token create', DATA_SETTINGS, actions.createToken)
    .requiredOption('--org <id>', 'organisation the token belongs to; required')
    .requiredOption('--name <name>', 'what the token is for; required')
    .addOption(repeatable('--scope <scope>', SCOPES_DESCRIPTION, SCOPES))
    .option('--expires <duration>', 'lifetime, such as 90d or 24h; default: it does not expire')
    .option('--json', 'print the token, its id, scopes and expiry as JSON');
  add(token, 'token list', DATA_SETTINGS, byOrganisation(actions.listTokens))
    .argument('[org]', 'id of an organisation; default: all')
    .option('--org <id>', 'the same as the argument')
    .option('--json', 'print them as JSON');
  add(token, 'token rotate', DATA_SETTINGS, actions.rotateToken)
    .argument('<token>', 'id of the token, or its text')
    .option(
      '--overlap <duration>',
      'how long the old token still works, such as 7d or 0s; default: 24h',
    )
    .option('--json', 'print the new token and the expiry of both as JSON');
  add(token, 'token revoke', DATA_SETTINGS, actions.revokeToken)
    .argument('<token>', 'id of the token, or its text')
    .option('--json', 'print the id and the time of the revocation as JSON');

  const grant = addGroup(program, 'grant');
  grantFlags(
    add(grant, 'grant add', VERSION_SETTINGS, actions.addGrant).argument(
      '<org>',
      'id of the organisation',
    ),
  );
  grantFlags(
    add(grant, 'grant replace', VERSION_SETTINGS, actions.replaceGrant).argument(
      '<grant>',
      'id of the grant',
    ),
  );
  add(grant, 'grant list', VERSION_SETTINGS, byOrganisation(actions.listGrants))
    .argument('[org]', 'id of an organisation; default: all')
    .option('--org <id>', 'the same as the argument')
    .option('--json', 'print them with all details as JSON');
  add(grant, 'grant check', VERSION_SETTINGS, actions.checkGrants)
    .option('--org <id>', 'only the grants of one organisation')
    .option('--json', 'print the grants that do not fit as JSON');
  add(grant, 'grant remove', DATA_SETTINGS, actions.removeGrant)
    .argument('<grant>', 'id of the grant')
    .option('--json', 'print the grant as JSON');

  const limits = addGroup(program, 'limits');
  const setLimits = (
    organisation: string,
    { concurrent, ...flags }: JsonFlags & LimitFlags & { readonly concurrent?: string },
  ) => actions.setLimits(organisation, { ...flags, concurrentQueries: concurrent });
  add(limits, 'limits set', DATA_SETTINGS, setLimits)
    .argument('<org>', 'id of the organisation')
    .option('--requests-per-second <n>', 'average rate of requests')
    .option('--burst <n>', 'requests allowed at once; default: those of one second')
    .option('--rows-per-day <n>', 'rows of answers per day (UTC)')
    .option('--rows-per-month <n>', 'rows of answers per calendar month (UTC)')
    .option('--concurrent <n>', 'requests answered at the same time')
    .option('--json', 'print all limits of the organisation as JSON');
  add(limits, 'limits list', DATA_SETTINGS, byOrganisation(actions.listLimits))
    .argument('[org]', 'id of an organisation; default: all with limits')
    .option('--org <id>', 'the same as the argument')
    .option('--json', 'print them as JSON');

  add(program, 'audit', DATA_SETTINGS, byOrganisation(actions.printAudit))
    .argument('[org]', 'id of an organisation; default: all changes')
    .option('--org <id>', 'the same as the argument')
    .option('--since <when>', 'since a day (UTC), such as 2026-01-31, or a duration, such as 24h')
    .option('--limit <n>', 'maximum number of entries; default: 100')
    .option('--json', 'print them as JSON');

  const usage = add(program, 'usage', DATA_SETTINGS, actions.printUsage)
    .option('--org <id>', 'only the usage of one organisation')
    .option('--from <day>', 'first day, YYYY-MM-DD; default: the first of the month')
    .option('--to <day>', 'last day, inclusive; default: today')
    .addOption(
      new ListOption(
        '--by <groups>',
        `${USAGE_GROUPS.join(', ')}; separated by commas; default: organisation`,
        USAGE_GROUPS,
      ),
    )
    .option('--records', 'print single requests instead of sums')
    .usage('[options]')
    .helpCommand(false);
  for (const name of TABLE_FORMAT_NAMES) {
    const others = TABLE_FORMAT_NAMES.filter((other) => other !== name);
    const { title } = TABLE_FORMATS[name];
    usage.addOption(new Option(`--${name}`, `print it as ${title}`).conflicts(['json', ...others]));
  }
  usage.option('--json', 'print it as JSON');
  add(usage, 'usage merge', DATA_SETTINGS, actions.mergeUsage).option(
    '--json',
    'print the numbers as JSON',
  );
  add(program, 'explore', DATA_SETTINGS, actions.explore)
    .requiredOption('--org <id>', 'organisation whose data is explored; required')
    .addOption(repeatable('--scope <scope>', SCOPES_DESCRIPTION, SCOPES))
    .option('--json', 'print the address, the id, scopes and end of the link as JSON');

  add(program, 'explain', VERSION_SETTINGS, actions.explain)
    .argument('<operation>', 'listRecords, searchFieldValues or searchMetricValues')
    .argument('<request>', 'request of the operation, as JSON')
    .option(
      '--org <id>',
      'organisation whose grants apply; default: that of billingContext, else all data is seen',
    )
    .option('--json', 'print the queries as JSON');

  add(addGroup(program, 'config'), 'config print', ALL_SETTINGS, actions.printConfig).option(
    '--json',
    'print them as JSON',
  );

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

/** The organisation is named by an argument or by a flag. */
function byOrganisation(
  action: (organisation: string | undefined, flags: JsonFlags) => Promise<void>,
) {
  return (
    given: string | undefined,
    { org, ...flags }: JsonFlags & { readonly org?: string },
  ): Promise<void> => {
    if (given !== undefined && org !== undefined && given !== org) {
      throw new ConfigError(
        `Two organisations are named: ${quote(given)} and, with --org, ${quote(org)}.`,
        'Name one of them.',
      );
    }
    return action(given ?? org, flags);
  };
}

/** The pattern and the restrictions of a grant. */
function grantFlags(command: Command): void {
  command
    .argument('<pattern>', 'product.dataset or catalog/metric; a * at the end matches any rest')
    .addOption(
      repeatable('--filter <filter>', 'only records that match, such as "state == CA"; repeatable'),
    )
    .addOption(repeatable('--field <names>', 'only these fields, separated by commas; repeatable'))
    .addOption(
      repeatable(
        '--component <id:value>',
        'metrics: only features with this address component; repeatable',
      ),
    )
    .addOption(
      repeatable(
        '--dimension <id:value>',
        'metrics: only values with this dimension value; repeatable',
      ),
    )
    .option('--period <start/end>', 'metrics: only values within this period')
    .addOption(repeatable('--feature <id>', 'metrics: only values of this feature; repeatable'))
    .addOption(
      repeatable(
        '--related-component <id:value>',
        'metrics: only values of related features with this address component; repeatable',
      ),
    )
    .addOption(
      repeatable(
        '--related-feature <id>',
        'metrics: only values of this related feature; repeatable',
      ),
    )
    .option('--from <date>', 'first day (UTC) of the grant; default: no start')
    .option('--until <date>', 'last day (UTC) of the grant; default: no end')
    .option('--show-small-cells', 'do not suppress small cells')
    .option(
      '--lift-default-filters',
      'metrics: a request that filters by a component replaces the default filter on it',
    )
    .option('--yes', 'go on even if a value matches nothing that is published')
    .option('--json', 'print the grant, the names that it matches and its values as JSON');
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
