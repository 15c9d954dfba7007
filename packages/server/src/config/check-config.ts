import { type Address, addressText, doClash, isLoopback } from './address.ts';
import { type Config, flagOf, SETTINGS } from './settings.ts';

/** What keeps the service from starting, and what to do. */
export type Conflict = { readonly message: string; readonly hint: string };

/** Every way in which settings of a service do not go together. */
export function findConflicts(config: Config): readonly Conflict[] {
  return [
    ...nothingListens(config),
    ...sharedPorts(config),
    ...exposedPlaintext(config),
    ...halfCertificate(config),
    ...certificateOfThisMachine(config),
    ...littleMemory(config),
    ...findWebhookConflicts(config),
  ];
}

/** Of these settings, which commands have too that serve nothing. */
export function findWebhookConflicts({
  webhook,
  webhookSecret,
}: Pick<Config, 'webhook' | 'webhookSecret'>): readonly Conflict[] {
  if ((webhook === undefined) === (webhookSecret === undefined)) return [];
  return [
    webhook === undefined
      ? {
          message: 'There is a secret for a webhook, but --webhook is not given.',
          hint: 'Give the address of the webhook too, or neither.',
        }
      : {
          message:
            'There is a webhook, but --webhook-secret is not given: it could not know who tells it.',
          hint: 'Make a secret with: echo "whsec_$(openssl rand -base64 32)"; and give it in the configuration file or as LOCMETRICS_WEBHOOK_SECRET, since other users of the machine see the flags of a process.',
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
      message: 'Nothing is to be served: --http, --https, --grpc and --grpc-plaintext are all off.',
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
            ? `${other.flag} and ${flag} are both to listen on ${text}.`
            : `${other.flag} ${otherText} and ${flag} ${text} are both to listen on port ${address.port} of one address.`,
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

function certificateOfThisMachine(config: Config): readonly Conflict[] {
  // One of the two without the other is told already.
  if (config.tlsCertificate !== undefined || config.tlsKey !== undefined) return [];
  return TLS_LISTENERS.flatMap((key) => {
    const address: Address | undefined = config[key];
    if (address === undefined || isLoopback(address.host)) return [];
    return [
      {
        message: `${flagOf(SETTINGS[key])} is to listen on ${addressText(address)}, but the certificate that is made for this machine is for localhost alone.`,
        hint: 'Give another with --tls-certificate FILE and --tls-key FILE, or listen on 127.0.0.1.',
      },
    ];
  });
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
