/** The texts of a command in the help and in the reference. */
export type CommandText = {
  /** Shown in the list of commands. */
  readonly summary: string;
  /** A description of the command, in sentences. */
  readonly description: string;
  readonly examples: readonly Example[];
};

/** A command line and its purpose; several lines are several commands. */
export type Example = { readonly does: string; readonly command: string };

/** The texts of the whole program. */
export const PROGRAM_TEXT = {
  description:
    'Location metrics data service: publish files, and serve records to the callers you allow.',
  examples: [
    { does: 'Try it with the built-in sample', command: 'demo' },
    {
      does: 'Describe and publish your files, give a customer access, and serve',
      command:
        'init my_places/*.csv\npublish locmetrics.yaml\norg create "City of Somewhere" --id somewhere\ngrant add somewhere "my_places.*"\ntoken create --org somewhere --name reports\nserve',
    },
  ],
} as const;

/** The texts of each command, by its name after `locmetrics`. */
export const COMMAND_TEXTS = {
  demo: {
    summary: 'serve the built-in sample',
    description:
      'Publishes the built-in sample on the first start and serves it. Prints an address that opens the explorer signed in, a token, and requests to try.',
    examples: [
      { does: 'Serve the sample on 127.0.0.1:8080', command: 'demo' },
      {
        does: 'On a free port, without gRPC',
        command: 'demo --http 127.0.0.1:0 --grpc off',
      },
    ],
  },
  serve: {
    summary: 'serve the published datasets',
    description:
      'Serves the published datasets of the data directory over HTTP and gRPC, until SIGTERM or Ctrl+C. Requests that have begun are finished first.',
    examples: [
      {
        does: 'Serve .locmetrics on 127.0.0.1:8080, and over gRPC on 127.0.0.1:8443',
        command: 'serve',
      },
      {
        does: 'Serve other machines over TLS, with a certificate of your own',
        command:
          'serve --http off --https 0.0.0.0:443 --tls-certificate chain.pem --tls-key key.pem',
      },
      { does: 'With the settings from a file', command: 'serve --config /etc/locmetrics.yaml' },
    ],
  },
  publish: {
    summary: 'publish the datasets of a manifest',
    description:
      'Publishes the datasets of a manifest, all or the named ones, and switches to all of them in one step. Everything is checked before anything changes. A wrong row is reported with its file, line, field, value and reason, and the current versions stay. A report says what was read and what changed since the previous version. A publish is refused if a grant would lose something that it names, unless --accept-grant-losses is given.',
    examples: [
      { does: 'Publish every dataset of a manifest', command: 'publish data/locmetrics.yaml' },
      { does: 'Publish one of them', command: 'publish data/locmetrics.yaml my_places.cafes' },
      {
        does: 'Add a month, from files in another directory',
        command: 'publish data/locmetrics.yaml visits.monthly --append --files incoming/2024-02',
      },
      {
        does: 'Replace a wrong month, after a check',
        command:
          'check data/locmetrics.yaml visits.monthly --replace-period 2024-01\npublish data/locmetrics.yaml visits.monthly --replace-period 2024-01',
      },
    ],
  },
  init: {
    summary: 'look at files, and write a first manifest that publishes them',
    description:
      'Looks at files and writes locmetrics.yaml for them: how each is read, its columns with their types and formats, periods, points and a key that no row repeats. With files of places and of values for them it also writes layers and metrics. All rows are read. Comments with CHECK say what it could not know. The manifest can be published as it is. It replaces no file unless --force is given.',
    examples: [
      { does: 'For all files of a folder', command: 'init *.csv' },
      {
        does: 'Places and the values for them',
        command: 'init stores.csv visits.csv.gz --output data/locmetrics.yaml',
      },
      { does: 'Print it', command: 'init export.xlsx --output -' },
    ],
  },
  inspect: {
    summary: 'tell what files have in them, and write nothing',
    description:
      'Tells what init sees in files: encoding, delimiter, header, rows, key, and each column with the type and format of its values.',
    examples: [{ does: 'A file', command: 'inspect export.csv' }],
  },
  check: {
    summary: 'report everything that is wrong with a manifest and its files',
    description:
      'Does all that publish does except the switch, and goes on after what is wrong, so that all of it is reported at once: the manifest with line and column, missing and unreadable files, missing columns, every value, keys and periods, layers and metrics. Also reports what would change since the current version. Exits with code 0 if a publish would succeed, otherwise with 1. Leaves nothing: the data directory need not exist.',
    examples: [
      { does: 'The manifest locmetrics.yaml of this folder', command: 'check' },
      {
        does: 'With next month from another directory',
        command: 'check data/locmetrics.yaml visits.monthly --append --files incoming/2024-02',
      },
      {
        does: 'The problems alone, in a script',
        command: "check --json | jq -r '.problems[].reason'",
      },
    ],
  },
  versions: {
    summary: 'list the kept versions',
    description:
      'Lists the kept versions, and which version was current at which time. Callers can query a kept version with asOf.',
    examples: [
      { does: 'Of all datasets', command: 'versions' },
      { does: 'Of one', command: 'versions my_places.cafes' },
    ],
  },
  'versions withdraw': {
    summary: 'withdraw a version permanently',
    description:
      'Withdraws a version. From the next request on it cannot be queried, and its page tokens are refused with PAGE_TOKEN_EXPIRED. Its data are removed once no request reads them. If it is the current version, the previous one becomes current in the same step. Versions made from it with --append or --replace-period contain its rows: they are listed, and stay. A withdrawal cannot be undone.',
    examples: [
      {
        does: 'By its name, from the list',
        command: 'versions withdraw 20260102T030405678Z-0123456789ab',
      },
    ],
  },
  rollback: {
    summary: 'switch back to an earlier version',
    description:
      'Switches a dataset to a kept version, by default to the one that was current before. A version that was rolled back itself is skipped. The switch takes effect with the next request. Requests and pages that have begun finish on their version.',
    examples: [
      { does: 'To the version before', command: 'rollback my_places.cafes' },
      {
        does: 'To a version from the list, which can also be a newer one',
        command: 'rollback my_places.cafes 20260102T030405678Z-0123456789ab',
      },
      {
        does: 'Together with all datasets that were published with it',
        command: 'rollback my_places.cafes --together',
      },
    ],
  },
  dataset: {
    summary: 'remove published datasets',
    description: 'Removes datasets. To list them: locmetrics versions.',
    examples: [],
  },
  'dataset remove': {
    summary: 'remove a dataset permanently',
    description:
      'Removes a dataset with all its versions, layers and metrics, in one step. From the next request on it cannot be queried. Its data are removed once no request reads them. Asks for the name first. If a metric of another dataset needs its layers, the removal is refused unless --with-metrics is given. A removal cannot be undone, but the dataset can be published again.',
    examples: [
      { does: 'Show what would be removed', command: 'dataset remove my_places.cafes --dry-run' },
      { does: 'In a script', command: 'dataset remove my_places.cafes --yes' },
    ],
  },
  diff: {
    summary: 'compare two versions of a dataset',
    description:
      'Compares two versions of a dataset by the key. Shows how many rows were added, removed and changed, which fields changed, and examples. Also shows the changes of the schema, and which of them break callers.',
    examples: [
      {
        does: 'The current version with the previous one',
        command: 'diff my_places.cafes',
      },
      {
        does: 'Two versions from the list',
        command:
          'diff my_places.cafes 20251202T030405678Z-ba9876543210 20260102T030405678Z-0123456789ab',
      },
    ],
  },
  verify: {
    summary: 'check the files of versions',
    description:
      'Reads all files of the kept versions and compares their checksums with those stored at publish time. Exits with code 1 if a version is damaged, or if its row file cannot be used. Without its row file a version answers from the column store, which is slower; --repair makes the file again.',
    examples: [
      { does: 'Of all datasets', command: 'verify' },
      { does: 'Of one', command: 'verify my_places.cafes' },
      { does: 'Of all, and make row files again', command: 'verify --repair' },
    ],
  },
  gc: {
    summary: 'remove versions and files that are no longer needed',
    description:
      'Removes versions that are past their retention and that no worker reads. Also removes the files of publishes and workers that were killed. The commands publish, rollback and versions withdraw do this too.',
    examples: [
      { does: 'With the retention from the settings', command: 'gc' },
      {
        does: 'Keep only the current versions',
        command: 'gc --versions-kept 1 --versions-kept-for 0s',
      },
    ],
  },
  recover: {
    summary: 'rebuild a lost or damaged current.json',
    description:
      'Rebuilds current.json from the existing versions, for when it is lost or damaged and there is no backup. This file says which versions are current. The command first shows which version of each dataset becomes current, which versions are damaged or withdrawn, and which facts are lost. Then it asks for confirmation. It removes nothing, and does nothing if current.json can be read.',
    examples: [
      { does: 'Show what would be done', command: 'recover --dry-run' },
      {
        does: 'Choose a version other than the last published one, without confirmation',
        command: 'recover --current 20251202T030405678Z-ba9876543210 --yes',
      },
    ],
  },
  backup: {
    summary: 'copy organisations, tokens, grants and usage',
    description:
      'Copies control.sqlite and usage.sqlite, including everything recorded until now. The service may be running. The copies are consistent, and only their owner can read them. Existing copies are replaced. Versions and current.json are copied as files: see docs/how-to/back-up-and-restore.md.',
    examples: [{ does: 'Into a directory', command: 'backup /var/backups/locmetrics' }],
  },
  org: {
    summary: 'create, list, suspend and resume organisations',
    description: 'Creates, lists, suspends and resumes the organisations that tokens belong to.',
    examples: [],
  },
  'org create': {
    summary: 'create an organisation',
    description:
      'Creates an organisation. Its id is the billing context of its requests. It has no access to data until it has a grant. The data directory is created if it does not exist.',
    examples: [
      { does: 'With a new id', command: 'org create "City of Somewhere"' },
      { does: 'With an id of your own', command: 'org create "City of Somewhere" --id somewhere' },
    ],
  },
  'org list': {
    summary: 'list the organisations',
    description: 'Lists the organisations, and which of them are suspended.',
    examples: [
      { does: 'As a table', command: 'org list' },
      { does: 'Their ids alone', command: "org list --json | jq -r '.organisations[].id'" },
    ],
  },
  'org suspend': {
    summary: 'refuse all tokens of an organisation for a while',
    description:
      'Suspends an organisation: from the next request on, all its tokens are refused with ORGANISATION_SUSPENDED, also those created later. Nothing is removed: tokens, grants, limits and usage stay. To undo it: locmetrics org resume.',
    examples: [{ does: 'Until it has paid', command: 'org suspend somewhere' }],
  },
  'org resume': {
    summary: 'accept the tokens of a suspended organisation again',
    description:
      'Resumes a suspended organisation: from the next request on, its tokens are accepted again, with the same grants and limits. Tokens that have expired or were revoked in the meantime stay refused.',
    examples: [{ does: 'After a suspension', command: 'org resume somewhere' }],
  },
  token: {
    summary: 'create, list, rotate and revoke tokens',
    description: 'Creates, lists, rotates and revokes the tokens that authenticate requests.',
    examples: [],
  },
  'token create': {
    summary: 'create a token',
    description:
      'Creates a token and prints it once: only its hash is stored. It works immediately, without a restart.',
    examples: [
      {
        does: 'Valid for 90 days',
        command: 'token create --org somewhere --name reports --expires 90d',
      },
      {
        does: 'For Prometheus, which scrapes the metrics from another machine',
        command: 'token create --org operations --name prometheus --scope operate',
      },
      {
        does: 'Save it for a script',
        command: 'token create --org somewhere --name reports > token.txt',
      },
    ],
  },
  'token list': {
    summary: 'list tokens, without their text',
    description: 'Lists tokens without their text, with their scopes, state, expiry and last use.',
    examples: [
      { does: 'All', command: 'token list' },
      { does: 'Those of one organisation', command: 'token list --org somewhere' },
    ],
  },
  'token rotate': {
    summary: 'replace a token by a new one',
    description:
      'Creates a new token with the same organisation, name and scopes, and prints it once. Both tokens work during the overlap; then the old one expires. If the old token had an expiry, the new one gets the same lifetime.',
    examples: [
      { does: 'With a day to replace it everywhere', command: 'token rotate 0123456789ab' },
      { does: 'Immediately, after a leak', command: 'token rotate 0123456789ab --overlap 0s' },
    ],
  },
  'token revoke': {
    summary: 'revoke a token',
    description: 'Revokes a token, by its id or its text. It stops working with the next request.',
    examples: [{ does: 'By its id, from the list', command: 'token revoke 0123456789ab' }],
  },
  grant: {
    summary: 'decide what data organisations may see',
    description: 'Adds, lists, checks and removes grants: the data that organisations may see.',
    examples: [],
  },
  'grant add': {
    summary: 'grant an organisation datasets or metrics',
    description:
      'Grants an organisation access to the datasets or metrics that match a pattern, or to a part of them. Names and values are checked against the published data. If several grants match a dataset or metric, only the most specific one applies. A grant takes effect with the next request.',
    examples: [
      { does: 'All datasets of a product', command: 'grant add somewhere "my_places.*"' },
      {
        does: 'The records of two states, without some fields, for a year',
        command:
          'grant add somewhere my_places.cafes --filter "state in CA,NV" --field id,name,state --until 2026-12-31',
      },
      {
        does: 'A metric in one city and one year',
        command:
          'grant add somewhere town/visits --component city:Springfield --period 2024-01-01/2024-12-31',
      },
      { does: 'Everything', command: 'grant add somewhere "*"' },
    ],
  },
  'grant list': {
    summary: 'list the grants',
    description:
      'Lists the grants, including ended ones, with their restrictions and whether they fit the published data.',
    examples: [
      { does: 'All', command: 'grant list' },
      {
        does: 'Those of one organisation, with all details',
        command: 'grant list --org somewhere --json',
      },
    ],
  },
  'grant check': {
    summary: 'find grants that do not fit the published data',
    description:
      'Finds current and future grants that name something that is not published: a dataset, metric, field, component or dimension. A grant with a filter that does not fit gives access to nothing. Exits with code 1 if there is such a grant.',
    examples: [
      { does: 'Of all organisations', command: 'grant check' },
      { does: 'Of one', command: 'grant check --org somewhere' },
    ],
  },
  'grant remove': {
    summary: 'remove a grant',
    description: 'Removes a grant. The removal takes effect with the next request.',
    examples: [{ does: 'By its id, from the list', command: 'grant remove 0123456789ab' }],
  },
  limits: {
    summary: 'limit how much organisations may use',
    description: 'Sets and lists the limits of organisations.',
    examples: [],
  },
  'limits set': {
    summary: 'set limits of an organisation',
    description:
      'Sets limits of an organisation. They take effect within a second. Limits that are not given stay as they are. 0 or none removes a limit.',
    examples: [
      {
        does: '10 requests per second, bursts of 50, and a million rows per month',
        command:
          'limits set somewhere --requests-per-second 10 --burst 50 --rows-per-month 1000000',
      },
      { does: 'Remove one', command: 'limits set somewhere --rows-per-month none' },
    ],
  },
  'limits list': {
    summary: 'list the limits',
    description: 'Lists the limits of all organisations that have any, or of one organisation.',
    examples: [{ does: 'All', command: 'limits list' }],
  },
  audit: {
    summary: 'list administrative changes',
    description:
      'Lists each change of organisations, tokens, grants and limits: the time, the actor and the change. The newest comes first. Entries cannot be changed or removed.',
    examples: [
      { does: 'The last 100', command: 'audit' },
      {
        does: 'The changes of one organisation this week',
        command: 'audit --org somewhere --since 7d',
      },
    ],
  },
  usage: {
    summary: 'print the usage of organisations',
    description:
      'Adds up answered requests, and their rows and bytes, by days in UTC. It includes everything answered until now, whether the service is running or not.',
    examples: [
      { does: 'This month, by organisation', command: 'usage' },
      {
        does: 'A month of one organisation as CSV, by day and dataset',
        command:
          'usage --org somewhere --from 2026-01-01 --to 2026-01-31 --by day,dataset --csv > january.csv',
      },
      {
        does: 'Single requests with their ids, to check a bill',
        command: 'usage --records --org somewhere --from 2026-01-31 --to 2026-01-31',
      },
    ],
  },
  explore: {
    summary: 'sign in to the explorer once, in a browser on this machine',
    description:
      'Prints an address of the running service that opens the explorer signed in. It works once, for 10 minutes, and only in a browser on the machine of the service. You are signed in for 12 hours, with a new token named explorer.',
    examples: [
      { does: 'As an organisation sees its data', command: 'explore --org somewhere' },
      {
        does: 'With the views of administrators',
        command: 'explore --org own --scope catalog,metrics,usage,admin',
      },
    ],
  },
  explain: {
    summary: 'show which store answers a request, and why',
    description:
      'Shows the queries that a request would run: the store that answers each, the index, the most that the row store needs, and why. No data is read. A request that the operation refuses is refused in the same way.',
    examples: [
      {
        does: 'Records of a place',
        command:
          'explain listRecords \'{"dataReferenceName": "my_places.cafes", "filters": [{"fieldName": "id", "operator": "==", "value": "C1"}]}\'',
      },
      {
        does: 'Values of a metric, as an organisation sees them',
        command:
          'explain searchMetricValues \'{"catalogId": "town", "metricId": "visits", "billingContext": "somewhere"}\'',
      },
    ],
  },
  config: {
    summary: 'print the settings of the service',
    description: 'Prints the settings of the service.',
    examples: [],
  },
  'config print': {
    summary: 'print the settings in effect',
    description:
      'Prints the settings in effect and the source of each, without secrets. If the service cannot start with them, it says why and exits with code 2. Takes the same flags as serve.',
    examples: [
      { does: 'As a table', command: 'config print' },
      { does: 'Check a file before you use it', command: 'config print --config new.yaml' },
    ],
  },
  completion: {
    summary: 'print a script that completes commands in a shell',
    description:
      'Prints a script for bash, zsh or fish that completes commands, flags and files with the tab key.',
    examples: [
      {
        does: 'bash, for all sessions',
        command: 'completion bash > ~/.local/share/bash-completion/completions/locmetrics',
      },
      { does: 'zsh, in a folder of $fpath', command: 'completion zsh > ~/.zfunc/_locmetrics' },
      { does: 'fish', command: 'completion fish > ~/.config/fish/completions/locmetrics.fish' },
    ],
  },
} as const satisfies Record<string, CommandText>;

export type CommandName = keyof typeof COMMAND_TEXTS;
