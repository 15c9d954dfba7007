import {
  addressOrOff,
  basePathOrNone,
  choice,
  clickhouseOrOff,
  coresOfMachine,
  count,
  countOrTenth,
  directoryPath,
  duration,
  durationOrOff,
  filePathOrNone,
  headers,
  hostNames,
  httpUrlOrAuto,
  httpUrlOrOff,
  memoryOfMachineBytes,
  nameOrNone,
  networks,
  onOrOff,
  orAuto,
  origins,
  passwordOrNone,
  postgresUrlOrFile,
  ratio,
  type SettingType,
  size,
  sizeText,
  webhookSecretOrNone,
} from './setting-types.ts';

/**
 * A setting: the flag `--name`, the variable `LOCMETRICS_NAME` in the environment and the key `name`
 * of the configuration file are all made from its name.
 */
export type Setting<Value> = {
  readonly name: string;
  readonly group: SettingGroup;
  readonly type: SettingType<Value>;
  readonly defaultText: string;
  /** Sentences for the help and the reference. */
  readonly description: string;
  /** Whether its value is hidden in all output. */
  readonly isSecret?: boolean;
};

export type SettingGroup =
  | 'Data'
  | 'ClickHouse'
  | 'Listening'
  | 'Processes'
  | 'Limits'
  | 'Browsers and proxies'
  | 'Logs and traces';

/** Makes the settings of a group, with their name, type, default and description. */
function inGroup(group: SettingGroup) {
  return <Value>(
    name: string,
    type: SettingType<Value>,
    defaultText: string,
    description: string,
    marks: Pick<Setting<Value>, 'isSecret'> = {},
  ): Setting<Value> => ({ name, group, type, defaultText, description, ...marks });
}

const data = inGroup('Data');
const clickhouse = inGroup('ClickHouse');
const listening = inGroup('Listening');
const processes = inGroup('Processes');
const limits = inGroup('Limits');
const access = inGroup('Browsers and proxies');
const logging = inGroup('Logs and traces');

/** The schema of the configuration: the help, reference page, checks and values come from it. */
export const SETTINGS = {
  data: data(
    'data',
    directoryPath,
    '.locmetrics',
    'Data directory: versions, organisations and tokens.',
  ),
  control: data(
    'control',
    postgresUrlOrFile,
    'file',
    'Where organisations, tokens and grants are stored. file: in the data directory. A URL such as postgres://USER@HOST/DATABASE: in this PostgreSQL, which several nodes share, with a copy in the data directory. Put the password in PGPASSWORD.',
    { isSecret: true },
  ),
  controlAwayMaxMs: data(
    'control-away-max',
    duration({ min: '0s', max: '7d' }),
    '60s',
    'How long a node keeps answering while it cannot reach the PostgreSQL database that --control names. Then it refuses requests, because tokens may have been revoked. 0s: it refuses them after about three seconds.',
  ),
  usageSync: data(
    'usage-sync',
    choice(['normal', 'full']),
    'normal',
    'Durability of usage records. normal: records survive a killed process. full: records also survive a power failure; each group of requests costs a disk sync.',
  ),
  usageKeepMs: data(
    'usage-keep',
    duration({ min: '1d', max: '36500d' }),
    '400d',
    'How long individual usage records are kept. Daily sums are kept forever.',
  ),
  versionsKept: data(
    'versions-kept',
    count({ min: 1, max: 1000 }),
    '3',
    'How many versions of a dataset are kept: those that were current most recently.',
  ),
  versionsKeptForMs: data(
    'versions-kept-for',
    duration({ min: '0ms', max: '36500d' }),
    '60m',
    'How long earlier versions are kept after they were current.',
  ),
  verifyOnStart: data(
    'verify-on-start',
    choice(['content', 'size']),
    'content',
    'How the current versions are checked when the service starts. content: the files are read, about a second per GB. size: only the file sizes are compared. If a version is damaged, the previous one is served.',
  ),
  exportSpaceBytes: data(
    'export-space',
    size({ min: '0B', max: '16TiB' }),
    '10GiB',
    'Maximum size of the files of all exports. 0B: there are no exports. Each of several nodes counts its own files, and has exports if it has a --node-url.',
  ),
  exportKeepMs: data(
    'export-keep',
    duration({ min: '1m', max: '365d' }),
    '24h',
    'How long the files of an export are kept after it has ended.',
  ),
  webhook: data(
    'webhook',
    httpUrlOrOff,
    'off',
    'Webhook URL. It receives a signed POST for each switch of versions, retried until it is accepted.',
  ),
  webhookSecret: data(
    'webhook-secret',
    webhookSecretOrNone,
    'none',
    'Secret that signs the webhook requests: whsec_ and 24 to 64 bytes in base64. Required with --webhook.',
    { isSecret: true },
  ),
  clickhouse: clickhouse(
    'clickhouse',
    clickhouseOrOff,
    'off',
    'URL of a ClickHouse database that only this data directory uses. publish also loads each version into it, and serve queries it for requests that no row file answers. off: column files answer them.',
  ),
  clickhousePassword: clickhouse(
    'clickhouse-password',
    passwordOrNone,
    'none',
    'Password of the user in --clickhouse. none: the password in the URL, or an empty one.',
    { isSecret: true },
  ),
  clickhouseCluster: clickhouse(
    'clickhouse-cluster',
    nameOrNone,
    'none',
    'Name of the ClickHouse cluster (in remote_servers) over whose shards the tables are spread. none: a single server.',
  ),
  clickhouseReplicated: clickhouse(
    'clickhouse-replicated',
    onOrOff,
    'off',
    'The servers of a shard copy its records from each other (ReplicatedMergeTree). Each server then needs the macros {shard} and {replica}.',
  ),
  clickhouseMemoryBytes: clickhouse(
    'clickhouse-memory',
    size({ min: '16MiB', max: '16TiB' }),
    '4GiB',
    'Maximum memory of one query in ClickHouse. A query that needs more is refused with OVERLOADED.',
  ),
  clickhouseRowsMax: clickhouse(
    'clickhouse-rows',
    count({ min: 1000, max: 1_000_000_000_000_000 }),
    '10000000000',
    'Maximum number of rows that one query reads in ClickHouse. A query that reads more is refused with DEADLINE_EXCEEDED, like one that exceeds --query-timeout.',
  ),
  clickhouseRowFilesMax: clickhouse(
    'clickhouse-row-files',
    count({ min: 0, max: 1_000_000_000_000 }),
    '10000000',
    'Maximum number of records of a current version for which serve writes a missing row file from ClickHouse, in the background. A row file answers faster than ClickHouse and needs 20 to 30 bytes of disk per record. 0: no row files are written.',
  ),
  http: listening(
    'http',
    addressOrOff,
    '127.0.0.1:8080',
    'Address of the HTTP interface in plaintext. Port 0 chooses a free port.',
  ),
  https: listening('https', addressOrOff, 'off', 'Address of the HTTP interface over TLS.'),
  grpc: listening(
    'grpc',
    addressOrOff,
    '127.0.0.1:8443',
    'Address of the gRPC interface over TLS.',
  ),
  grpcPlaintext: listening(
    'grpc-plaintext',
    addressOrOff,
    'off',
    'Address of the gRPC interface in plaintext.',
  ),
  metrics: listening(
    'metrics',
    addressOrOff,
    'off',
    'Address of /metrics for Prometheus, and of /livez and /readyz, in plaintext. /metrics needs a token with the scope operate, except on a loopback address.',
  ),
  tlsCertificate: listening(
    'tls-certificate',
    filePathOrNone,
    'none',
    'Certificate chain for HTTPS and gRPC, in PEM. It is read again when it changes. none: a certificate for localhost is generated in the data directory.',
  ),
  tlsKey: listening(
    'tls-key',
    filePathOrNone,
    'none',
    'Private key of the certificate, in PEM without a passphrase.',
  ),
  allowPlaintext: listening(
    'allow-plaintext',
    onOrOff,
    'off',
    'Allows plaintext on addresses that other machines can reach. Tokens and data can then be read on the network.',
  ),
  workers: processes(
    'workers',
    orAuto(count({ min: 1, max: 256 }), coresOfMachine),
    'auto',
    'Worker processes that answer requests. auto: one per core.',
  ),
  memoryBytes: processes(
    'memory',
    orAuto(size({ min: '128MiB', max: '16TiB' }), suggestMemoryBytes, sizeText),
    'auto',
    'Memory of the database engine, divided among the workers. auto: a quarter of the memory, at most 2GiB.',
  ),
  threads: processes(
    'threads',
    orAuto(count({ min: 1, max: 1024 }), coresOfMachine),
    'auto',
    'Threads of the database engine, divided among the workers. auto: one per core.',
  ),
  publishMemoryBytes: processes(
    'publish-memory',
    orAuto(size({ min: '128MiB', max: '16TiB' }), suggestPublishMemoryBytes, sizeText),
    'auto',
    'Memory of the database engine during a publish. Beyond it, the engine uses the disk. auto: half of the memory, at most 2GiB.',
  ),
  publishStepTimeMs: processes(
    'publish-step-time',
    duration({ min: '1s', max: '1h' }),
    '30s',
    'Maximum time for a statement of a step or expression in a publish, for up to 100,000 rows. More rows get proportionally more time.',
  ),
  publishUnpackedBytes: processes(
    'publish-unpacked',
    size({ min: '1MiB', max: '16TiB' }),
    '64GiB',
    'Maximum size of a downloaded file, and of a decompressed gzip or zip file, in a publish. A larger file is refused.',
  ),
  drainTimeoutMs: processes(
    'drain-timeout',
    duration({ min: '1s', max: '1h' }),
    '40s',
    'How long running requests may take to finish when the service stops.',
  ),
  drainDelayMs: processes(
    'drain-delay',
    duration({ min: '0ms', max: '10m' }),
    '0ms',
    'How long the service still accepts requests after a stop signal, while /readyz already reports not ready. This gives load balancers time to remove it.',
  ),
  queryTimeoutMs: limits(
    'query-timeout',
    duration({ min: '1ms', max: '1h' }),
    '30s',
    'Maximum time to answer a request. A slower request is cancelled.',
  ),
  queriesMax: limits(
    'queries',
    count({ min: 1, max: 64 }),
    '4',
    'Maximum number of requests that a worker answers at the same time. Further requests are queued.',
  ),
  viewedRowsPerDay: limits(
    'viewed-rows-per-day',
    countOrTenth({ min: 0, max: 1_000_000_000 }),
    'tenth',
    'Rows that each organisation may look at in a day (UTC) besides its limits of rows, for requests with the header Locmetrics-Purpose: view, as the explorer sends them. tenth: a tenth of the rows of each of its limits, per day and month. 0: these requests count against the limits, as all others do.',
  ),
  queueMax: limits(
    'queue',
    count({ min: 0, max: 100_000 }),
    '1000',
    'Maximum length of the queue of a worker. Further requests are refused with OVERLOADED.',
  ),
  connectionsMax: limits(
    'connections',
    count({ min: 1, max: 1_000_000 }),
    '10000',
    'Maximum number of open connections of a worker. Beyond it, a new connection replaces one that has not sent a valid token, or waits. Each connection needs a file descriptor: see the limit of the operating system.',
  ),
  connectionsPerClientMax: limits(
    'connections-per-client',
    count({ min: 1, max: 1_000_000 }),
    '5000',
    'Maximum number of open connections of a worker from one client, and at most half of --connections. A client is an IPv4 address or an IPv6 /64 network. The limit does not apply to --trusted-proxies.',
  ),
  requestTimeoutMs: limits(
    'request-timeout',
    duration({ min: '1s', max: '1h' }),
    '30s',
    'Maximum time for a client to send a whole request. A slower client is disconnected.',
  ),
  sendTimeoutMs: limits(
    'send-timeout',
    duration({ min: '1s', max: '1h' }),
    '20s',
    'Maximum time for which a client may read nothing of a response. Then it is disconnected.',
  ),
  unsentMaxBytes: limits(
    'unsent',
    size({ min: '1MiB', max: '1TiB' }),
    '64MiB',
    'Maximum size of the unsent responses of a worker. Beyond it, further requests are queued.',
  ),
  bodyMaxBytes: limits(
    'body',
    size({ min: '1KiB', max: '64MiB' }),
    '1MiB',
    'Maximum size of the body of an HTTP request or of a gRPC message.',
  ),
  corsOrigins: access(
    'cors-origins',
    origins,
    'none',
    'Origins of web pages that may call the HTTP interface from a browser.',
  ),
  explorer: access(
    'explorer',
    onOrOff,
    'on',
    'Serves the explorer, a web page for looking at the data, at /. Its files are public; the data needs a token.',
  ),
  mapStyle: access(
    'map-style',
    httpUrlOrOff,
    'off',
    'URL of a MapLibre style for the maps of the explorer, such as one with streets. Its tiles, sprites and glyphs must have the same origin, to which browsers then send requests. off: the map of the explorer itself.',
  ),
  docs: access('docs', onOrOff, 'on', 'Serves the documentation at /docs. Its files are public.'),
  trustedProxies: access(
    'trusted-proxies',
    networks,
    'none',
    'Proxies whose X-Forwarded-For, -Host, -Proto and -Prefix headers are trusted.',
  ),
  hosts: access(
    'hosts',
    hostNames,
    'none',
    'Host names that callers use for the HTTP interface and the metrics, such as the name of a proxy. IP addresses and localhost are always accepted. none: any name is accepted from other machines, but only IP addresses and localhost over loopback.',
  ),
  publicUrl: access(
    'public-url',
    httpUrlOrAuto,
    'auto',
    'URL at which callers reach the HTTP interface, with its path prefix: the links to the files of exports begin with it. auto: the address at which the service listens.',
  ),
  nodeUrl: access(
    'node-url',
    httpUrlOrOff,
    'off',
    'URL at which the other nodes reach the HTTP interface of this one, with its path prefix, for nodes that share --control and --clickhouse. Any node then answers for all exports, and fetches the files from the node that has them. off: a node has no exports.',
  ),
  basePath: access(
    'base-path',
    basePathOrNone,
    'none',
    'The path prefix under which a proxy serves the HTTP interface. URLs in responses have this prefix, and requests may have it.',
  ),
  accessLog: logging('access-log', onOrOff, 'on', 'Logs each request.'),
  logFormat: logging(
    'log-format',
    choice(['auto', 'json', 'pretty']),
    'auto',
    'Format of the log. json: lines of JSON. pretty: readable lines. auto: pretty on a terminal, json otherwise.',
  ),
  slowQueryMs: logging(
    'slow-query',
    durationOrOff({ min: '1ms', max: '1h' }),
    '1s',
    'A query that takes longer is logged, with its plan but without values.',
  ),
  otlpEndpoint: logging(
    'otlp-endpoint',
    httpUrlOrOff,
    'off',
    'URL to which traces are sent with OTLP over HTTP, such as http://127.0.0.1:4318.',
  ),
  otlpHeaders: logging('otlp-headers', headers, 'none', 'Headers sent with the traces.', {
    isSecret: true,
  }),
  traceRatio: logging(
    'trace-ratio',
    ratio,
    '1',
    'The share of requests that are traced. A request is never traced if its trace headers say that the caller does not sample it.',
  ),
} as const;

export type SettingKey = keyof typeof SETTINGS;

type ValueOf<Given> = Given extends Setting<infer Value> ? Value : never;

/** The values of all settings; names end in the unit of a number. */
export type Config = { readonly [Key in SettingKey]: ValueOf<(typeof SETTINGS)[Key]> };

// The keys of a constant object are those of its type.
export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

export function flagOf({ name }: Pick<Setting<unknown>, 'name'>): string {
  return `--${name}`;
}

export function environmentNameOf({ name }: Pick<Setting<unknown>, 'name'>): string {
  return `LOCMETRICS_${name.replaceAll('-', '_').toUpperCase()}`;
}

const MEMORY_SUGGESTED_MAX_BYTES = 2 * 2 ** 30;
const PUBLISH_MEMORY_SUGGESTED_MAX_BYTES = 2 * 2 ** 30;

function suggestMemoryBytes(): number {
  return Math.min(Math.floor(memoryOfMachineBytes() / 4), MEMORY_SUGGESTED_MAX_BYTES);
}

function suggestPublishMemoryBytes(): number {
  return Math.min(Math.floor(memoryOfMachineBytes() / 2), PUBLISH_MEMORY_SUGGESTED_MAX_BYTES);
}
