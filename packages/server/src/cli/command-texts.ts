/** The texts of a command in the help and in the reference. */
export type CommandText = {
  /** Shown in the list of commands. */
  readonly summary: string;
  /** A description of the command, in sentences. */
  readonly description: string;
  /** Purpose → command line; several lines are several commands. */
  readonly examples?: Readonly<Record<string, string>>;
};

/** The texts of the whole program. */
export const PROGRAM_TEXT = {
  description:
    'Location metrics data service: publish files, and serve records to the callers you allow.',
  examples: {
    'Try it with the built-in sample': 'demo',
    'Describe and publish your files, give a customer access, and serve':
      'init my_places/*.csv\npublish locmetrics.yaml\norg create "City of Somewhere" --id somewhere\ngrant add somewhere "my_places.*"\ntoken create --org somewhere --name reports\nserve',
  },
} as const;

function textOf(
  summary: string,
  description: string,
  examples?: CommandText['examples'],
): CommandText {
  return { summary, description, ...(examples && { examples }) };
}

/** The texts of each command, by its name after `locmetrics`. */
export const COMMAND_TEXTS = {
  demo: textOf(
    'serve the built-in sample',
    'Publishes the built-in sample on the first start and serves it. Prints an address that opens the explorer signed in, a token, and requests to try.',
    {
      'Serve the sample on 127.0.0.1:8080': 'demo',
      'On a free port, without gRPC': 'demo --http 127.0.0.1:0 --grpc off',
    },
  ),
  serve: textOf(
    'serve the published datasets',
    'Serves the published datasets of the data directory over HTTP and gRPC, until SIGTERM or Ctrl+C. Requests that have begun are finished first.',
    {
      'Serve .locmetrics on 127.0.0.1:8080, and over gRPC on 127.0.0.1:8443': 'serve',
      'Serve other machines over TLS, with a certificate of your own':
        'serve --http off --https 0.0.0.0:443 --tls-certificate chain.pem --tls-key key.pem',
      'With the settings from a file': 'serve --config /etc/locmetrics.yaml',
    },
  ),
  publish: textOf(
    'publish the datasets of a manifest',
    'Publishes the datasets of a manifest, all or the named ones, and switches to all of them in one step. Everything is checked before anything changes. A wrong row is reported with its file, line, field, value and reason, and the current versions stay. A report says what was read and what changed since the previous version. A publish is refused if a grant would lose something that it names, unless --accept-grant-losses is given.',
    {
      'Publish every dataset of a manifest': 'publish data/locmetrics.yaml',
      'Publish one of them': 'publish data/locmetrics.yaml my_places.cafes',
      'Add a month, from files in another directory':
        'publish data/locmetrics.yaml visits.monthly --append --files incoming/2024-02',
      'Replace a wrong month, after a check':
        'check data/locmetrics.yaml visits.monthly --replace-period 2024-01\npublish data/locmetrics.yaml visits.monthly --replace-period 2024-01',
    },
  ),
  init: textOf(
    'look at files, and write a first manifest that publishes them',
    'Looks at files and writes locmetrics.yaml for them: how each is read, its columns with their types and formats, periods, points and a key that no row repeats. With files of places and of values for them it also writes layers and metrics. All rows are read. Comments with CHECK say what it could not know. The manifest can be published as it is. It replaces no file unless --force is given.',
    {
      'For all files of a folder': 'init *.csv',
      'Places and the values for them':
        'init stores.csv visits.csv.gz --output data/locmetrics.yaml',
      'Print it': 'init export.xlsx --output -',
    },
  ),
  inspect: textOf(
    'tell what files have in them, and write nothing',
    'Tells what init sees in files: encoding, delimiter, header, rows, key, and each column with the type and format of its values.',
    { 'A file': 'inspect export.csv' },
  ),
  check: textOf(
    'report everything that is wrong with a manifest and its files',
    'Does all that publish does except the switch, and goes on after what is wrong, so that all of it is reported at once: the manifest with line and column, missing and unreadable files, missing columns, every value, keys and periods, layers and metrics. Also reports what would change since the current version. Exits with code 0 if a publish would succeed, otherwise with 1. Leaves nothing: the data directory need not exist.',
    {
      'The manifest locmetrics.yaml of this folder': 'check',
      'With next month from another directory':
        'check data/locmetrics.yaml visits.monthly --append --files incoming/2024-02',
      'The problems alone, in a script': "check --json | jq -r '.problems[].reason'",
    },
  ),
  versions: textOf(
    'list the kept versions',
    'Lists the kept versions, the versions of metrics with the versions of datasets that each is made of, and which version was current at which time. Callers can query a kept version with asOf. The name of a version shows what it is: the version of a metric is that of its dataset, or made of several.',
    {
      'Of all datasets': 'versions',
      'Of one': 'versions my_places.cafes',
      'What the version in an answer is made of': 'versions 20260102T030405678Z-0123456789ab',
    },
  ),
  'versions withdraw': textOf(
    'withdraw a version permanently',
    'Withdraws a version. From the next request on it cannot be queried, and its page tokens are refused with PAGE_TOKEN_EXPIRED. Its data are removed once no request reads them. If it is the current version, the previous one becomes current in the same step. Versions made from it with --append or --replace-period contain its rows: they are listed, and stay. A withdrawal cannot be undone.',
    {
      'By its name, from the list': 'versions withdraw 20260102T030405678Z-0123456789ab',
    },
  ),
  rollback: textOf(
    'switch back to an earlier version',
    'Switches a dataset to a kept version, by default to the one that was current before. A version that was rolled back itself is skipped. The switch takes effect with the next request. Requests and pages that have begun finish on their version.',
    {
      'To the version before': 'rollback my_places.cafes',
      'To a version from the list, which can also be a newer one':
        'rollback my_places.cafes 20260102T030405678Z-0123456789ab',
      'Together with all datasets that were published with it':
        'rollback my_places.cafes --together',
    },
  ),
  dataset: textOf(
    'remove published datasets',
    'Removes datasets. To list them: locmetrics versions.',
  ),
  'dataset remove': textOf(
    'remove a dataset permanently',
    'Removes a dataset with all its versions, layers and metrics, in one step. From the next request on it cannot be queried. Its data are removed once no request reads them. Asks for the name first. If a metric of another dataset needs its layers, the removal is refused unless --with-metrics is given. A removal cannot be undone, but the dataset can be published again.',
    {
      'Show what would be removed': 'dataset remove my_places.cafes --dry-run',
      'In a script': 'dataset remove my_places.cafes --yes',
    },
  ),
  diff: textOf(
    'compare two versions of a dataset',
    'Compares two versions of a dataset by the key. Shows how many rows were added, removed and changed, which fields changed, and examples. Also shows the changes of the schema, and which of them break callers.',
    {
      'The current version with the previous one': 'diff my_places.cafes',
      'Two versions from the list':
        'diff my_places.cafes 20251202T030405678Z-ba9876543210 20260102T030405678Z-0123456789ab',
    },
  ),
  verify: textOf(
    'check the files of versions',
    'Reads all files of the kept versions and compares their checksums with those stored at publish time. With --clickhouse it also compares all values of each table with the column file, or only the number of rows where there is no column file. Exits with code 1 if a version is damaged, or if its row file cannot be used. Without its row file a version answers from the column store, which is slower; --repair makes the file again. Where nodes share versions, ClickHouse has the records: then --repair removes data files of this node that are not as published, and makes none again.',
    {
      'Of all datasets': 'verify',
      'Of one': 'verify my_places.cafes',
      'Of all, and make row files again': 'verify --repair',
    },
  ),
  gc: textOf(
    'remove versions and files that are no longer needed',
    'Removes versions that are past their retention and that no worker reads. Also removes the files of publishes and workers that were killed. The commands publish, rollback and versions withdraw do this too.',
    {
      'With the retention from the settings': 'gc',
      'Keep only the current versions': 'gc --versions-kept 1 --versions-kept-for 0s',
    },
  ),
  recover: textOf(
    'rebuild a lost or damaged current.json',
    'Rebuilds current.json from the existing versions, for when it is lost or damaged and there is no backup. This file says which versions are current. The command first shows which version of each dataset becomes current, which versions are damaged or withdrawn, and which facts are lost. Then it asks for confirmation. It removes nothing, and does nothing if current.json can be read. Where nodes share versions, with --control and --clickhouse, the files of the mirror are copied again from PostgreSQL instead.',
    {
      'Show what would be done': 'recover --dry-run',
      'Choose a version other than the last published one, without confirmation':
        'recover --current 20251202T030405678Z-ba9876543210 --yes',
    },
  ),
  nodes: textOf(
    'list the nodes that share versions',
    'Lists the nodes that share versions, with --control and --clickhouse: those that have reported within a day, the last one first. SWITCH is the number of the last switch of versions that a node had at its last report; a node that is behind follows within seconds while it can reach PostgreSQL. A node that has not reported in time is gone: versions that it used may be removed. A node that was stopped is not listed. A command that reads versions for long, such as locmetrics diff, is a node without an address.',
    {
      'As a table': 'nodes',
      'The hosts of those that are gone': `nodes --json | jq -r '.nodes[] | select(.state == "gone") | .host'`,
    },
  ),
  backup: textOf(
    'copy organisations, tokens, grants and usage',
    'Copies control.sqlite and usage.sqlite, including everything recorded until now. The service may be running. The copies are consistent, and only their owner can read them. Existing copies are replaced. Versions and current.json are copied as files: see docs/how-to/back-up-and-restore.md.',
    { 'Into a directory': 'backup /var/backups/locmetrics' },
  ),
  clickhouse: textOf(
    'move versions between the data directory and ClickHouse',
    'Moves kept versions between the column files of the data directory and the ClickHouse of --clickhouse.',
  ),
  'clickhouse load': textOf(
    'load versions into ClickHouse that have no table there',
    'Loads each kept version that has no table in ClickHouse, or one with another number of rows, from its column file: for example after --clickhouse was given for the first time. A load that was broken off goes on where it stopped. The service may be running. With --control too, the versions of the data directory become those of all nodes: PostgreSQL must have no versions yet, and no service may run on the data directory, which is a mirror afterwards.',
    {
      'Of all datasets': 'clickhouse load --clickhouse http://default@127.0.0.1:8123/locmetrics',
      'Of one, with the settings from a file': 'clickhouse load my_places.cafes',
    },
  ),
  'clickhouse fetch': textOf(
    'make column files and row files again from ClickHouse',
    'Makes the column file and the row file of each kept version that has none, from its table in ClickHouse. All values of the file and of the table are compared. Afterwards the data directory can be served without ClickHouse. The checksum of a file that is made again can differ from the published one; then version.json gets the new one.',
    {
      'Of all datasets': 'clickhouse fetch --clickhouse http://default@127.0.0.1:8123/locmetrics',
    },
  ),
  control: textOf(
    'repair the control store, or copy it to a PostgreSQL that nodes share, and back',
    'Repairs the control store from a backup, and copies it with the usage between a data directory and a PostgreSQL that nodes share.',
  ),
  'control repair': textOf(
    'restore damaged rows of the control store from a backup',
    'Restores the rows that decide rights and are damaged (locmetrics verify lists them) from a backup that locmetrics backup made. All other rows stay as they are. A row that was changed after the backup is not restored, because a revoked token would work again. The service may run.',
    {
      'From the last backup': 'control repair /var/backups/locmetrics',
    },
  ),
  'control copy': textOf(
    'copy the control store and usage to PostgreSQL, or back',
    'Copies organisations, tokens, grants, limits, secrets, the audit log and usage from the data directory into an empty PostgreSQL, or back into the data directory. Tokens and page tokens stay valid. Nothing is removed from the source. No service may run on the data directory. The rows are counted at the end. The password can be in PGPASSWORD: other users of the machine can see the flags of a process.',
    {
      'Into a database on another machine':
        'control copy --to "postgres://locmetrics@db.example/locmetrics?sslmode=verify-full"',
      'Back into a data directory':
        'control copy --from postgres://locmetrics@localhost/locmetrics --data restored',
    },
  ),
  org: textOf(
    'create, list, suspend and resume organisations',
    'Creates, lists, suspends and resumes the organisations that tokens belong to.',
  ),
  'org create': textOf(
    'create an organisation',
    'Creates an organisation. Its id is the billing context of its requests. It has no access to data until it has a grant. The data directory is created if it does not exist.',
    {
      'With a new id': 'org create "City of Somewhere"',
      'With an id of your own': 'org create "City of Somewhere" --id somewhere',
    },
  ),
  'org list': textOf(
    'list the organisations',
    'Lists the organisations, and which of them are suspended.',
    {
      'As a table': 'org list',
      'Their ids alone': "org list --json | jq -r '.organisations[].id'",
    },
  ),
  'org suspend': textOf(
    'refuse all tokens of an organisation for a while',
    'Suspends an organisation: from the next request on, all its tokens are refused with ORGANISATION_SUSPENDED, also those created later. Nothing is removed: tokens, grants, limits and usage stay. To undo it: locmetrics org resume.',
    { 'Until it has paid': 'org suspend somewhere' },
  ),
  'org resume': textOf(
    'accept the tokens of a suspended organisation again',
    'Resumes a suspended organisation: from the next request on, its tokens are accepted again, with the same grants and limits. Tokens that have expired or were revoked in the meantime stay refused.',
    { 'After a suspension': 'org resume somewhere' },
  ),
  token: textOf(
    'create, list, rotate and revoke tokens',
    'Creates, lists, rotates and revokes the tokens that authenticate requests.',
  ),
  'token create': textOf(
    'create a token',
    'Creates a token and prints it once: only its hash is stored. It works immediately, without a restart.',
    {
      'Valid for 90 days': 'token create --org somewhere --name reports --expires 90d',
      'For Prometheus, which scrapes the metrics from another machine':
        'token create --org operations --name prometheus --scope operate',
      'Save it for a script': 'token create --org somewhere --name reports > token.txt',
    },
  ),
  'token list': textOf(
    'list tokens, without their text',
    'Lists tokens without their text, with their scopes, state, expiry and last use.',
    {
      All: 'token list',
      'Those of one organisation': 'token list --org somewhere',
    },
  ),
  'token rotate': textOf(
    'replace a token by a new one',
    'Creates a new token with the same organisation, name and scopes, and prints it once. Both tokens work during the overlap; then the old one expires. If the old token had an expiry, the new one gets the same lifetime.',
    {
      'With a day to replace it everywhere': 'token rotate 0123456789ab',
      'Immediately, after a leak': 'token rotate 0123456789ab --overlap 0s',
    },
  ),
  'token revoke': textOf(
    'revoke a token',
    'Revokes a token, by its id or its text. It stops working with the next request.',
    { 'By its id, from the list': 'token revoke 0123456789ab' },
  ),
  grant: textOf(
    'decide what data organisations may see',
    'Adds, replaces, lists, checks and removes grants: the data that organisations may see.',
  ),
  'grant add': textOf(
    'grant an organisation datasets or metrics',
    'Grants an organisation access to the datasets or metrics that match a pattern, or to a part of them. Names are checked against the published data, and the records of each value are counted: a value that matches nothing must be confirmed. If several grants match a dataset or metric, only the most specific one applies. A grant takes effect with the next request.',
    {
      'All datasets of a product': 'grant add somewhere "my_places.*"',
      'The records of two states, without some fields, for a year':
        'grant add somewhere my_places.cafes --filter "state in CA,NV" --field id,name,state --until 2026-12-31',
      'A value with a comma':
        'grant add somewhere my_places.cafes --filter \'region in "Washington, D.C.",Alabama\'',
      'A metric in one city and one year':
        'grant add somewhere town/visits --component city:Springfield --period 2024-01-01/2024-12-31',
      Everything: 'grant add somewhere "*"',
    },
  ),
  'grant replace': textOf(
    'replace all terms of a grant',
    'Replaces the pattern and all restrictions of a grant in one step: each request sees either the old terms or the new ones. A flag that is absent restricts nothing, so write all terms, as for grant add. The id and the organisation stay.',
    {
      'One more state, and no end':
        'grant replace 0123456789ab my_places.cafes --filter "state in CA,NV,OR" --field id,name,state',
      'The present terms': 'grant list --json',
    },
  ),
  'grant list': textOf(
    'list the grants',
    'Lists the grants, including ended ones, with their restrictions and whether they fit the published data.',
    {
      All: 'grant list',
      'Those of one organisation, with all details': 'grant list --org somewhere --json',
    },
  ),
  'grant check': textOf(
    'find grants that do not fit the published data',
    'Finds current and future grants that name something that is not published: a dataset, metric, field, component or dimension. A grant with a filter that does not fit gives access to nothing. Exits with code 1 if there is such a grant.',
    {
      'Of all organisations': 'grant check',
      'Of one': 'grant check --org somewhere',
    },
  ),
  'grant remove': textOf(
    'remove a grant',
    'Removes a grant. The removal takes effect with the next request.',
    { 'By its id, from the list': 'grant remove 0123456789ab' },
  ),
  limits: textOf(
    'limit how much organisations may use',
    'Sets and lists the limits of organisations.',
  ),
  'limits set': textOf(
    'set limits of an organisation',
    'Sets limits of an organisation. They take effect within a second. Limits that are not given stay as they are. 0 or none removes a limit.',
    {
      '10 requests per second, bursts of 50, and a million rows per month':
        'limits set somewhere --requests-per-second 10 --burst 50 --rows-per-month 1000000',
      'Remove one': 'limits set somewhere --rows-per-month none',
    },
  ),
  'limits list': textOf(
    'list the limits',
    'Lists the limits of all organisations that have any, or of one organisation.',
    { All: 'limits list' },
  ),
  audit: textOf(
    'list administrative changes',
    'Lists each change of organisations, tokens, grants and limits: the time, the actor and the change. The newest comes first. Entries cannot be changed or removed.',
    {
      'The last 100': 'audit',
      'The changes of one organisation this week': 'audit --org somewhere --since 7d',
    },
  ),
  usage: textOf(
    'print the usage of organisations',
    'Adds up answered requests, and their rows and bytes, by days in UTC. It includes everything answered until now, whether the service is running or not.',
    {
      'This month, by organisation': 'usage',
      'A month of one organisation as CSV, by day and dataset':
        'usage --org somewhere --from 2026-01-01 --to 2026-01-31 --by day,dataset --csv > january.csv',
      'Single requests with their ids, to check a bill':
        'usage --records --org somewhere --from 2026-01-31 --to 2026-01-31',
    },
  ),
  'usage merge': textOf(
    'merge what was recorded in a data directory',
    'Merges the usage that waits in the data directory into the store of usage, each record once, as the service does each second. Use it for the disk of a node that does not start again. The service may be running.',
    { 'From the disk of another machine': 'usage merge --data /mnt/node-2' },
  ),
  explore: textOf(
    'sign in to the explorer once, in a browser on this machine',
    'Prints an address of the running service that opens the explorer signed in. It works once, for 10 minutes, and only in a browser on the machine of the service. You are signed in for 12 hours, with a new token named explorer.',
    {
      'As an organisation sees its data': 'explore --org somewhere',
      'With the views of administrators': 'explore --org own --scope catalog,metrics,usage,admin',
    },
  ),
  explain: textOf(
    'show which store answers a request, and why',
    'Shows the queries that a request would run: the store that answers each, the index, the most that the row store needs, and why. No data is read. A request that the operation refuses is refused in the same way.',
    {
      'Records of a place':
        'explain listRecords \'{"dataReferenceName": "my_places.cafes", "filters": [{"fieldName": "id", "operator": "==", "value": "C1"}]}\'',
      'Values of a metric, as an organisation sees them':
        'explain searchMetricValues \'{"catalogId": "town", "metricId": "visits", "billingContext": "somewhere"}\'',
    },
  ),
  config: textOf('print the settings of the service', 'Prints the settings of the service.'),
  'config print': textOf(
    'print the settings in effect',
    'Prints the settings in effect and the source of each, without secrets. If the service cannot start with them, it says why and exits with code 2. Takes the same flags as serve.',
    {
      'As a table': 'config print',
      'Check a file before you use it': 'config print --config new.yaml',
    },
  ),
  completion: textOf(
    'print a script that completes commands in a shell',
    'Prints a script for bash, zsh or fish that completes commands, flags and files with the tab key.',
    {
      'bash, for all sessions':
        'completion bash > ~/.local/share/bash-completion/completions/locmetrics',
      'zsh, in a folder of $fpath': 'completion zsh > ~/.zfunc/_locmetrics',
      fish: 'completion fish > ~/.config/fish/completions/locmetrics.fish',
    },
  ),
} as const satisfies Record<string, CommandText>;

export type CommandName = keyof typeof COMMAND_TEXTS;
