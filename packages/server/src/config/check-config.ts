import { type Address, addressText, isLoopback } from './address.ts';
import { ConfigError } from './config-error.ts';
import { type Config, flagOf, SETTINGS } from './settings.ts';

/** Refuses settings of a service that do not go together, before anything opens. */
export function checkServeConfig(config: Config): void {
  const conflicts = findConflicts(config);
  if (conflicts.length === 0) return;
  const hints = new Set(conflicts.map(({ hint }) => hint));
  throw new ConfigError(conflicts.map(({ message }) => message).join('\n'), [...hints].join('\n'));
}

type Conflict = { readonly message: string; readonly hint: string };

/** Everything that would keep `locmetrics serve` from starting with these settings. */
function findConflicts(config: Config): readonly Conflict[] {
  return [
    ...nothingListens(config),
    ...sharedAddresses(config),
    ...exposedPlaintext(config),
    ...halfCertificate(config),
    ...littleMemory(config),
  ];
}

const LISTENERS = ['http', 'https', 'grpc', 'grpcPlaintext', 'metrics'] as const;
const PLAINTEXT_LISTENERS = ['http', 'grpcPlaintext', 'metrics'] as const;

function nothingListens({ http, https, grpc, grpcPlaintext }: Config): readonly Conflict[] {
  if ([http, https, grpc, grpcPlaintext].some((address) => address !== undefined)) return [];
  return [
    {
      message: 'Nothing is to be served: --http, --https, --grpc and --grpc-plaintext are all off.',
      hint: 'Give one of them an address, for example --http 127.0.0.1:8080.',
    },
  ];
}

function sharedAddresses(config: Config): readonly Conflict[] {
  const seen = new Map<string, string>();
  return LISTENERS.flatMap((key) => {
    const address: Address | undefined = config[key];
    if (address === undefined || address.port === 0) return [];
    const flag = flagOf(SETTINGS[key]);
    const text = addressText(address);
    const other = seen.get(text);
    if (other === undefined) {
      seen.set(text, flag);
      return [];
    }
    return [
      {
        message: `${other} and ${flag} are both to listen on ${text}.`,
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
        message: `${flagOf(SETTINGS[key])} ${text} would be reached from other machines in plaintext, where tokens and data can be read on the way.`,
        hint:
          key === 'http'
            ? `Use --https ${text} with --http off, listen on 127.0.0.1, or add --allow-plaintext where the network is trusted.`
            : 'Listen on 127.0.0.1, or add --allow-plaintext where the network is trusted.',
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

/** Less does not let the database engine answer. */
const MEMORY_OF_WORKER_MIN_BYTES = 64 * 2 ** 20;

function littleMemory({ memoryBytes, workers }: Config): readonly Conflict[] {
  if (memoryBytes / workers >= MEMORY_OF_WORKER_MIN_BYTES) return [];
  return [
    {
      message: `--memory ${Math.floor(memoryBytes / 2 ** 20)}MiB for ${workers} workers is less than 64MiB for each.`,
      hint: 'Give more with --memory, or run fewer workers with --workers.',
    },
  ];
}
