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
  /** What it does; sentences for the help and the reference. */
  readonly description: string;
  /** Whether its value is never shown. */
  readonly isSecret?: boolean;
};

export type SettingGroup =
  | 'Data'
  | 'Listening'
  | 'Processes'
  | 'Limits'
  | 'Browsers and proxies'
  | 'Logs and traces';

/** The one schema of the configuration: help, reference page, checks and values follow from it. */
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
      'Which usage records survive: normal, those of a process that is killed; full, those of a machine that loses power too, for a write to the disk with each group of requests.',
  },
  usageKeepMs: {
    name: 'usage-keep',
    group: 'Data',
    type: duration({ min: '1d', max: '36500d' }),
    defaultText: '400d',
    description: 'How long single usage records are kept. The sums of each day are kept for ever.',
  },
  versionsKept: {
    name: 'versions-kept',
    group: 'Data',
    type: count({ min: 1, max: 1000 }),
    defaultText: '3',
    description: 'How many of the versions of a dataset that were current last are kept.',
  },
  versionsKeptForMs: {
    name: 'versions-kept-for',
    group: 'Data',
    type: duration({ min: '0ms', max: '36500d' }),
    defaultText: '60m',
    description: 'How long versions are kept besides, after they were current.',
  },
  verifyOnStart: {
    name: 'verify-on-start',
    group: 'Data',
    type: choice(['content', 'size']),
    defaultText: 'content',
    description:
      'How the current versions are checked when the service starts: content, by reading their files, about a second for each GB; size, by the sizes alone. Where one is damaged, the version before is served.',
  },
  webhook: {
    name: 'webhook',
    group: 'Data',
    type: httpUrlOrOff,
    defaultText: 'off',
    description:
      'Address that is told of each switch of versions, by a signed POST that is repeated until it is accepted.',
  },
  webhookSecret: {
    name: 'webhook-secret',
    group: 'Data',
    type: webhookSecretOrNone,
    defaultText: 'none',
    description:
      'Secret that signs what the webhook is told: whsec_ and 24 to 64 bytes in base64. It is needed with a webhook.',
    isSecret: true,
  },
  http: {
    name: 'http',
    group: 'Listening',
    type: addressOrOff,
    defaultText: '127.0.0.1:8080',
    description: 'Where the HTTP interface listens in plaintext; port 0 takes a free one.',
  },
  https: {
    name: 'https',
    group: 'Listening',
    type: addressOrOff,
    defaultText: 'off',
    description: 'Where the HTTP interface listens over TLS.',
  },
  grpc: {
    name: 'grpc',
    group: 'Listening',
    type: addressOrOff,
    defaultText: '127.0.0.1:8443',
    description: 'Where the gRPC interface listens over TLS.',
  },
  grpcPlaintext: {
    name: 'grpc-plaintext',
    group: 'Listening',
    type: addressOrOff,
    defaultText: 'off',
    description: 'Where the gRPC interface listens in plaintext too.',
  },
  metrics: {
    name: 'metrics',
    group: 'Listening',
    type: addressOrOff,
    defaultText: 'off',
    description:
      'Where /metrics is served for Prometheus, with /livez and /readyz, in plaintext and without a token.',
  },
  tlsCertificate: {
    name: 'tls-certificate',
    group: 'Listening',
    type: filePathOrNone,
    defaultText: 'none',
    description:
      'Certificate chain for HTTPS and gRPC, in PEM; read again when it changes. none: one for this machine is kept in the data directory.',
  },
  tlsKey: {
    name: 'tls-key',
    group: 'Listening',
    type: filePathOrNone,
    defaultText: 'none',
    description: 'Private key of that certificate, in PEM without a passphrase.',
  },
  allowPlaintext: {
    name: 'allow-plaintext',
    group: 'Listening',
    type: onOrOff,
    defaultText: 'off',
    description:
      'Allows listening in plaintext beyond this machine, where tokens and data can be read on the way.',
  },
  workers: {
    name: 'workers',
    group: 'Processes',
    type: orAuto(count({ min: 1, max: 256 }), coresOfMachine),
    defaultText: 'auto',
    description: 'Worker processes that answer requests. auto: one for each core.',
  },
  memoryBytes: {
    name: 'memory',
    group: 'Processes',
    type: orAuto(size({ min: '128MiB', max: '16TiB' }), suggestMemoryBytes, sizeText),
    defaultText: 'auto',
    description:
      'Memory of the database engine, divided by the workers. auto: a quarter of the machine, at most 2GiB.',
  },
  threads: {
    name: 'threads',
    group: 'Processes',
    type: orAuto(count({ min: 1, max: 1024 }), coresOfMachine),
    defaultText: 'auto',
    description: 'Threads of the database engine, divided by the workers. auto: one for each core.',
  },
  publishMemoryBytes: {
    name: 'publish-memory',
    group: 'Processes',
    type: orAuto(size({ min: '128MiB', max: '16TiB' }), suggestPublishMemoryBytes, sizeText),
    defaultText: 'auto',
    description:
      'Memory of the database engine while data are published; what needs more goes to the disk. auto: half of the machine, at most 2GiB.',
  },
  publishUnpackedBytes: {
    name: 'publish-unpacked',
    group: 'Processes',
    type: size({ min: '1MiB', max: '16TiB' }),
    defaultText: '64GiB',
    description:
      'The largest that a gzip file of a publish may become when it is decompressed; a larger one is refused.',
  },
  drainTimeoutMs: {
    name: 'drain-timeout',
    group: 'Processes',
    type: duration({ min: '1s', max: '1h' }),
    defaultText: '40s',
    description: 'How long requests that have begun may take to end when the service is stopped.',
  },
  drainDelayMs: {
    name: 'drain-delay',
    group: 'Processes',
    type: duration({ min: '0ms', max: '10m' }),
    defaultText: '0ms',
    description:
      'How long the service goes on as before when it is stopped, while /readyz says that it is not ready, so that load balancers can turn away first.',
  },
  queryTimeoutMs: {
    name: 'query-timeout',
    group: 'Limits',
    type: duration({ min: '1ms', max: '1h' }),
    defaultText: '30s',
    description: 'A request whose answer takes longer is stopped.',
  },
  queriesMax: {
    name: 'queries',
    group: 'Limits',
    type: count({ min: 1, max: 64 }),
    defaultText: '4',
    description: 'Answers that a worker makes at once; others wait in line.',
  },
  queueMax: {
    name: 'queue',
    group: 'Limits',
    type: count({ min: 0, max: 100_000 }),
    defaultText: '1000',
    description: 'Requests that wait in line in a worker; more are refused with OVERLOADED.',
  },
  connectionsMax: {
    name: 'connections',
    group: 'Limits',
    type: count({ min: 1, max: 1_000_000 }),
    defaultText: '10000',
    description:
      'Open connections of each worker. A new one takes the place of one without an accepted token, or waits. Each needs an open file: see the limit of the system.',
  },
  requestTimeoutMs: {
    name: 'request-timeout',
    group: 'Limits',
    type: duration({ min: '1s', max: '1h' }),
    defaultText: '30s',
    description: 'A client that takes longer to send its whole request is cut off.',
  },
  sendTimeoutMs: {
    name: 'send-timeout',
    group: 'Limits',
    type: duration({ min: '1s', max: '1h' }),
    defaultText: '20s',
    description: 'A client that takes nothing of its answer for so long is cut off.',
  },
  unsentMaxBytes: {
    name: 'unsent',
    group: 'Limits',
    type: size({ min: '1MiB', max: '1TiB' }),
    defaultText: '64MiB',
    description:
      'Answers that clients have not taken yet, in each worker; beyond it further answers wait in line.',
  },
  bodyMaxBytes: {
    name: 'body',
    group: 'Limits',
    type: size({ min: '1KiB', max: '64MiB' }),
    defaultText: '1MiB',
    description: 'The largest body of an HTTP request or message of a gRPC call.',
  },
  corsOrigins: {
    name: 'cors-origins',
    group: 'Browsers and proxies',
    type: origins,
    defaultText: 'none',
    description: 'Origins whose pages may call the HTTP interface from a browser.',
  },
  trustedProxies: {
    name: 'trusted-proxies',
    group: 'Browsers and proxies',
    type: networks,
    defaultText: 'none',
    description: 'Proxies whose X-Forwarded-For says who the client is.',
  },
  accessLog: {
    name: 'access-log',
    group: 'Logs and traces',
    type: onOrOff,
    defaultText: 'on',
    description: 'Whether each request is a line of the log.',
  },
  logFormat: {
    name: 'log-format',
    group: 'Logs and traces',
    type: choice(['auto', 'json', 'pretty']),
    defaultText: 'auto',
    description: 'Lines of JSON, or lines for people; auto is pretty on a terminal, else json.',
  },
  slowQueryMs: {
    name: 'slow-query',
    group: 'Logs and traces',
    type: durationOrOff({ min: '1ms', max: '1h' }),
    defaultText: '1s',
    description: 'A query that takes longer is a line of the log, with its plan but no values.',
  },
  otlpEndpoint: {
    name: 'otlp-endpoint',
    group: 'Logs and traces',
    type: httpUrlOrOff,
    defaultText: 'off',
    description: 'Where traces are sent by OTLP over HTTP, such as http://127.0.0.1:4318.',
  },
  otlpHeaders: {
    name: 'otlp-headers',
    group: 'Logs and traces',
    type: headers,
    defaultText: 'none',
    description: 'Headers that are sent with the traces.',
    isSecret: true,
  },
  traceRatio: {
    name: 'trace-ratio',
    group: 'Logs and traces',
    type: ratio,
    defaultText: '1',
    description: 'The share of requests that are traced, unless their caller decided it.',
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
