import {
  addressOrOff,
  choice,
  coresOfMachine,
  count,
  directoryPath,
  duration,
  durationOrOff,
  filePathOrNone,
  headers,
  httpUrlOrOff,
  memoryOfMachineBytes,
  networks,
  onOrOff,
  orAuto,
  origins,
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
  | 'Listening'
  | 'Processes'
  | 'Limits'
  | 'Browsers and proxies'
  | 'Logs and traces';

/** The schema of the configuration: the help, reference page, checks and values come from it. */
export const SETTINGS = {
  data: {
    name: 'data',
    group: 'Data',
    type: directoryPath,
    defaultText: '.locmetrics',
    description: 'Data directory: versions, organisations and tokens.',
  },
  usageSync: {
    name: 'usage-sync',
    group: 'Data',
    type: choice(['normal', 'full']),
    defaultText: 'normal',
    description:
      'Durability of usage records. normal: records survive a killed process. full: records also survive a power failure; each group of requests costs a disk sync.',
  },
  usageKeepMs: {
    name: 'usage-keep',
    group: 'Data',
    type: duration({ min: '1d', max: '36500d' }),
    defaultText: '400d',
    description: 'How long single usage records are kept. Daily sums are kept without end.',
  },
  versionsKept: {
    name: 'versions-kept',
    group: 'Data',
    type: count({ min: 1, max: 1000 }),
    defaultText: '3',
    description: 'How many of the most recently current versions of a dataset are kept.',
  },
  versionsKeptForMs: {
    name: 'versions-kept-for',
    group: 'Data',
    type: duration({ min: '0ms', max: '36500d' }),
    defaultText: '60m',
    description: 'How long other versions are kept after they were current.',
  },
  verifyOnStart: {
    name: 'verify-on-start',
    group: 'Data',
    type: choice(['content', 'size']),
    defaultText: 'content',
    description:
      'How the current versions are checked when the service starts. content: the files are read, about a second per GB. size: only the file sizes are compared. If a version is damaged, the previous one is served.',
  },
  webhook: {
    name: 'webhook',
    group: 'Data',
    type: httpUrlOrOff,
    defaultText: 'off',
    description:
      'Webhook URL. It receives a signed POST for each switch of versions, retried until it is accepted.',
  },
  webhookSecret: {
    name: 'webhook-secret',
    group: 'Data',
    type: webhookSecretOrNone,
    defaultText: 'none',
    description:
      'Secret that signs the webhook requests: whsec_ and 24 to 64 bytes in base64. Required with --webhook.',
    isSecret: true,
  },
  http: {
    name: 'http',
    group: 'Listening',
    type: addressOrOff,
    defaultText: '127.0.0.1:8080',
    description: 'Address of the HTTP interface in plaintext. Port 0 chooses a free port.',
  },
  https: {
    name: 'https',
    group: 'Listening',
    type: addressOrOff,
    defaultText: 'off',
    description: 'Address of the HTTP interface over TLS.',
  },
  grpc: {
    name: 'grpc',
    group: 'Listening',
    type: addressOrOff,
    defaultText: '127.0.0.1:8443',
    description: 'Address of the gRPC interface over TLS.',
  },
  grpcPlaintext: {
    name: 'grpc-plaintext',
    group: 'Listening',
    type: addressOrOff,
    defaultText: 'off',
    description: 'Address of the gRPC interface in plaintext.',
  },
  metrics: {
    name: 'metrics',
    group: 'Listening',
    type: addressOrOff,
    defaultText: 'off',
    description:
      'Address of /metrics for Prometheus, and of /livez and /readyz, in plaintext. /metrics needs a token with the scope operate, except on a loopback address.',
  },
  tlsCertificate: {
    name: 'tls-certificate',
    group: 'Listening',
    type: filePathOrNone,
    defaultText: 'none',
    description:
      'Certificate chain for HTTPS and gRPC, in PEM. It is read again when it changes. none: a certificate for localhost is generated in the data directory.',
  },
  tlsKey: {
    name: 'tls-key',
    group: 'Listening',
    type: filePathOrNone,
    defaultText: 'none',
    description: 'Private key of the certificate, in PEM without a passphrase.',
  },
  allowPlaintext: {
    name: 'allow-plaintext',
    group: 'Listening',
    type: onOrOff,
    defaultText: 'off',
    description:
      'Allows plaintext on addresses that other machines can reach. Tokens and data can then be read on the network.',
  },
  workers: {
    name: 'workers',
    group: 'Processes',
    type: orAuto(count({ min: 1, max: 256 }), coresOfMachine),
    defaultText: 'auto',
    description: 'Worker processes that answer requests. auto: one per core.',
  },
  memoryBytes: {
    name: 'memory',
    group: 'Processes',
    type: orAuto(size({ min: '128MiB', max: '16TiB' }), suggestMemoryBytes, sizeText),
    defaultText: 'auto',
    description:
      'Memory of the database engine, divided among the workers. auto: a quarter of the memory, at most 2GiB.',
  },
  threads: {
    name: 'threads',
    group: 'Processes',
    type: orAuto(count({ min: 1, max: 1024 }), coresOfMachine),
    defaultText: 'auto',
    description: 'Threads of the database engine, divided among the workers. auto: one per core.',
  },
  publishMemoryBytes: {
    name: 'publish-memory',
    group: 'Processes',
    type: orAuto(size({ min: '128MiB', max: '16TiB' }), suggestPublishMemoryBytes, sizeText),
    defaultText: 'auto',
    description:
      'Memory of the database engine during a publish. Beyond it, the engine uses the disk. auto: half of the memory, at most 2GiB.',
  },
  publishUnpackedBytes: {
    name: 'publish-unpacked',
    group: 'Processes',
    type: size({ min: '1MiB', max: '16TiB' }),
    defaultText: '64GiB',
    description:
      'Maximum size of a file at an address, and of a gzip or zip file decompressed, in a publish. A larger file is refused.',
  },
  drainTimeoutMs: {
    name: 'drain-timeout',
    group: 'Processes',
    type: duration({ min: '1s', max: '1h' }),
    defaultText: '40s',
    description: 'How long running requests may take to finish when the service stops.',
  },
  drainDelayMs: {
    name: 'drain-delay',
    group: 'Processes',
    type: duration({ min: '0ms', max: '10m' }),
    defaultText: '0ms',
    description:
      'How long the service still accepts requests after a stop signal, while /readyz already reports not ready. Load balancers can remove it in this time.',
  },
  queryTimeoutMs: {
    name: 'query-timeout',
    group: 'Limits',
    type: duration({ min: '1ms', max: '1h' }),
    defaultText: '30s',
    description: 'Maximum time to answer a request. A slower request is cancelled.',
  },
  queriesMax: {
    name: 'queries',
    group: 'Limits',
    type: count({ min: 1, max: 64 }),
    defaultText: '4',
    description: 'Requests that a worker answers at the same time. Further requests are queued.',
  },
  queueMax: {
    name: 'queue',
    group: 'Limits',
    type: count({ min: 0, max: 100_000 }),
    defaultText: '1000',
    description:
      'Maximum length of the queue of a worker. Further requests are refused with OVERLOADED.',
  },
  connectionsMax: {
    name: 'connections',
    group: 'Limits',
    type: count({ min: 1, max: 1_000_000 }),
    defaultText: '10000',
    description:
      'Maximum number of open connections of a worker. Beyond it, a new connection replaces one without an accepted token, or waits. Each connection needs a file descriptor: see the limit of the operating system.',
  },
  requestTimeoutMs: {
    name: 'request-timeout',
    group: 'Limits',
    type: duration({ min: '1s', max: '1h' }),
    defaultText: '30s',
    description:
      'Maximum time for a client to send a whole request. A slower client is disconnected.',
  },
  sendTimeoutMs: {
    name: 'send-timeout',
    group: 'Limits',
    type: duration({ min: '1s', max: '1h' }),
    defaultText: '20s',
    description:
      'Maximum time in which a client receives nothing of its answer. Then it is disconnected.',
  },
  unsentMaxBytes: {
    name: 'unsent',
    group: 'Limits',
    type: size({ min: '1MiB', max: '1TiB' }),
    defaultText: '64MiB',
    description:
      'Maximum size of the unsent answers of a worker. Beyond it, further requests are queued.',
  },
  bodyMaxBytes: {
    name: 'body',
    group: 'Limits',
    type: size({ min: '1KiB', max: '64MiB' }),
    defaultText: '1MiB',
    description: 'Maximum size of the body of an HTTP request or of a gRPC message.',
  },
  corsOrigins: {
    name: 'cors-origins',
    group: 'Browsers and proxies',
    type: origins,
    defaultText: 'none',
    description: 'Origins of web pages that may call the HTTP interface from a browser.',
  },
  explorer: {
    name: 'explorer',
    group: 'Browsers and proxies',
    type: onOrOff,
    defaultText: 'on',
    description:
      'Whether the explorer, a page to look at the data, is served at /. Its files are public; the data need a token.',
  },
  trustedProxies: {
    name: 'trusted-proxies',
    group: 'Browsers and proxies',
    type: networks,
    defaultText: 'none',
    description: 'Proxies whose X-Forwarded-For header is trusted for the address of the client.',
  },
  accessLog: {
    name: 'access-log',
    group: 'Logs and traces',
    type: onOrOff,
    defaultText: 'on',
    description: 'Whether each request is logged.',
  },
  logFormat: {
    name: 'log-format',
    group: 'Logs and traces',
    type: choice(['auto', 'json', 'pretty']),
    defaultText: 'auto',
    description:
      'Format of the log. json: lines of JSON. pretty: readable lines. auto: pretty on a terminal, json otherwise.',
  },
  slowQueryMs: {
    name: 'slow-query',
    group: 'Logs and traces',
    type: durationOrOff({ min: '1ms', max: '1h' }),
    defaultText: '1s',
    description: 'A query that takes longer is logged, with its plan but without values.',
  },
  otlpEndpoint: {
    name: 'otlp-endpoint',
    group: 'Logs and traces',
    type: httpUrlOrOff,
    defaultText: 'off',
    description: 'Target URL of traces, sent with OTLP over HTTP, such as http://127.0.0.1:4318.',
  },
  otlpHeaders: {
    name: 'otlp-headers',
    group: 'Logs and traces',
    type: headers,
    defaultText: 'none',
    description: 'Headers sent with the traces.',
    isSecret: true,
  },
  traceRatio: {
    name: 'trace-ratio',
    group: 'Logs and traces',
    type: ratio,
    defaultText: '1',
    description: 'The share of requests that are traced, unless the caller has decided it.',
  },
} as const satisfies Record<string, Setting<unknown>>;

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
