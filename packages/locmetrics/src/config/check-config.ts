import { isLoopback } from '@locmetrics/core/network/is-loopback';
import { type Address, addressText, doClash } from './listen-address.ts';
import { type Config, flagOf, SETTINGS } from './settings.ts';

/** A reason why the service cannot start, and what to do. */
export type Conflict = { readonly message: string; readonly hint: string };

/** All conflicts between settings of a service. */
export function findConflicts(config: Config): readonly Conflict[] {
  return [
    ...nothingListens(config),
    ...sharedPorts(config),
    ...exposedPlaintext(config),
    ...halfCertificate(config),
    ...certificateOfThisMachine(config),
    ...littleMemory(config),
    ...findWebhookConflicts(config),
    ...findClickhouseConflicts(config),
  ];
}

/** The conflicts of the webhook settings, which other commands than `serve` have too. */
export function findWebhookConflicts({
  webhook,
  webhookSecret,
}: Pick<Config, 'webhook' | 'webhookSecret'>): readonly Conflict[] {
  if ((webhook === undefined) === (webhookSecret === undefined)) return [];
  return [
    webhook === undefined
      ? {
          message: '--webhook-secret is given, but --webhook is not.',
          hint: 'Give both --webhook and --webhook-secret, or neither.',
        }
      : {
          message:
            '--webhook is given, but --webhook-secret is not: the receiver could not check the sender.',
          hint: 'Generate a secret: echo "whsec_$(openssl rand -base64 32)". Set it in the configuration file or as LOCMETRICS_WEBHOOK_SECRET, because other users of the machine can see the flags of a process.',
        },
  ];
}

/** The conflicts of the settings of ClickHouse, which other commands than `serve` have too. */
export function findClickhouseConflicts({
  clickhouse,
  clickhousePassword,
  clickhouseCluster,
  clickhouseReplicated,
}: Pick<
  Config,
  'clickhouse' | 'clickhousePassword' | 'clickhouseCluster' | 'clickhouseReplicated'
>): readonly Conflict[] {
  if (clickhouse === undefined) {
    const given = [
      ...(clickhousePassword === undefined ? [] : [SETTINGS.clickhousePassword]),
      ...(clickhouseCluster === undefined ? [] : [SETTINGS.clickhouseCluster]),
      ...(clickhouseReplicated ? [SETTINGS.clickhouseReplicated] : []),
    ];
    return given.map((setting) => ({
      message: `${flagOf(setting)} is given, but --clickhouse is not.`,
      hint: `Give the URL of the database with --clickhouse, or leave ${flagOf(setting)} out.`,
    }));
  }
  const replicated: readonly Conflict[] =
    clickhouseReplicated && clickhouseCluster === undefined
      ? [
          {
            message: '--clickhouse-replicated is on, but --clickhouse-cluster is not given.',
            hint: 'Name the cluster with --clickhouse-cluster, or leave --clickhouse-replicated out.',
          },
        ]
      : [];
  if (clickhouse.password === undefined || clickhousePassword === undefined) return replicated;
  return [
    ...replicated,
    {
      message:
        'The password of ClickHouse is given twice: in --clickhouse and as --clickhouse-password.',
      hint: 'Leave it out of the URL: set it in the configuration file or as LOCMETRICS_CLICKHOUSE_PASSWORD, because other users of the machine can see the flags of a process.',
    },
  ];
}

const LISTENERS = ['http', 'https', 'grpc', 'grpcPlaintext', 'metrics'] as const;
const TLS_LISTENERS = ['https', 'grpc'] as const;
const PLAINTEXT_LISTENERS = ['http', 'grpcPlaintext', 'metrics'] as const;

function nothingListens({ http, https, grpc, grpcPlaintext }: Config): readonly Conflict[] {
  if ([http, https, grpc, grpcPlaintext].some((address) => address !== undefined)) return [];
  return [
    {
      message:
        'There is no address to serve: --http, --https, --grpc and --grpc-plaintext are all off.',
      hint: 'Give one of them an address, for example --http 127.0.0.1:8080.',
    },
  ];
}

function sharedPorts(config: Config): readonly Conflict[] {
  const listeners = LISTENERS.flatMap((key) => {
    const address: Address | undefined = config[key];
    return address === undefined ? [] : [{ flag: flagOf(SETTINGS[key]), address }];
  });
  return listeners.flatMap(({ flag, address }, index) => {
    const other = listeners.slice(0, index).find((one) => doClash(one.address, address));
    if (other === undefined) return [];
    const [text, otherText] = [addressText(address), addressText(other.address)];
    return [
      {
        message:
          text === otherText
            ? `${other.flag} and ${flag} use the same address ${text}.`
            : `${other.flag} ${otherText} and ${flag} ${text} use port ${address.port} of the same address.`,
        hint: `Give ${flag} another port, or turn it off.`,
      },
    ];
  });
}

function exposedPlaintext(config: Config): readonly Conflict[] {
  if (config.allowPlaintext) return [];
  return PLAINTEXT_LISTENERS.flatMap((key) => {
    const address: Address | undefined = config[key];
    if (address === undefined || isLoopback(address.host)) return [];
    const text = addressText(address);
    return [
      {
        message: `${flagOf(SETTINGS[key])} ${text} can be reached from other machines in plaintext: tokens and data could be read on the network.`,
        hint:
          key === 'http'
            ? `Use --https ${text} with --http off, listen on 127.0.0.1, or add --allow-plaintext if you trust the network.`
            : 'Listen on 127.0.0.1, or add --allow-plaintext if you trust the network.',
      },
    ];
  });
}

function halfCertificate({ tlsCertificate, tlsKey }: Config): readonly Conflict[] {
  if ((tlsCertificate === undefined) === (tlsKey === undefined)) return [];
  const [given, missing] =
    tlsKey === undefined ? ['certificate', '--tls-key'] : ['key', '--tls-certificate'];
  return [
    {
      message: `There is a ${given} for TLS, but ${missing} is not given.`,
      hint: 'Give both --tls-certificate and --tls-key, or neither.',
    },
  ];
}

function certificateOfThisMachine(config: Config): readonly Conflict[] {
  // One of the two without the other is reported already.
  if (config.tlsCertificate !== undefined || config.tlsKey !== undefined) return [];
  return TLS_LISTENERS.flatMap((key) => {
    const address: Address | undefined = config[key];
    if (address === undefined || isLoopback(address.host)) return [];
    return [
      {
        message: `${flagOf(SETTINGS[key])} listens on ${addressText(address)}, but the generated certificate is only valid for localhost.`,
        hint: 'Give a certificate with --tls-certificate FILE and --tls-key FILE, or listen on 127.0.0.1.',
      },
    ];
  });
}

/** The database engine cannot answer with less. */
const MEMORY_OF_WORKER_MIN_BYTES = 64 * 2 ** 20;

function littleMemory({ memoryBytes, workers }: Config): readonly Conflict[] {
  if (memoryBytes / workers >= MEMORY_OF_WORKER_MIN_BYTES) return [];
  return [
    {
      message: `--memory ${Math.floor(memoryBytes / 2 ** 20)}MiB for ${workers} workers is less than 64MiB per worker.`,
      hint: 'Give more with --memory, or run fewer workers with --workers.',
    },
  ];
}
