import { type Address, addressText, isLoopback } from './address.ts';
import { ConfigError } from './config-error.ts';
import { type Config, flagOf, SETTINGS } from './settings.ts';

/** Less does not let the database engine answer. */
const MEMORY_OF_WORKER_MIN_BYTES = 64 * 2 ** 20;

/** Refuses settings of a service that do not go together, before anything opens. */
export function checkServeConfig(config: Config): void {
  checkSomethingListens(config);
  checkAddressesDiffer(config);
  checkPlaintext(config);
  checkTlsFiles(config);
  const { memoryBytes, workers } = config;
  if (memoryBytes / workers < MEMORY_OF_WORKER_MIN_BYTES) {
    throw new ConfigError(
      `${workers} workers share ${Math.floor(memoryBytes / 2 ** 20)}MiB of memory: less than 64MiB for each.`,
      'Give more with --memory, or run fewer workers with --workers.',
    );
  }
}

const LISTENERS = ['http', 'https', 'grpc', 'grpcPlaintext', 'metrics'] as const;
const PLAINTEXT_LISTENERS = ['http', 'grpcPlaintext', 'metrics'] as const;

function checkSomethingListens({ http, https, grpc, grpcPlaintext }: Config): void {
  if ([http, https, grpc, grpcPlaintext].some((address) => address !== undefined)) return;
  throw new ConfigError(
    'Nothing is to be served: --http, --https, --grpc and --grpc-plaintext are all off.',
    'Give one of them an address, for example --http 127.0.0.1:8080.',
  );
}

function checkAddressesDiffer(config: Config): void {
  const seen = new Map<string, string>();
  for (const key of LISTENERS) {
    const address: Address | undefined = config[key];
    if (address === undefined || address.port === 0) continue;
    const flag = flagOf(SETTINGS[key]);
    const other = seen.get(addressText(address));
    if (other !== undefined) {
      throw new ConfigError(
        `${other} and ${flag} are both to listen on ${addressText(address)}.`,
        `Give ${flag} another port, or turn it off.`,
      );
    }
    seen.set(addressText(address), flag);
  }
}

function checkPlaintext(config: Config): void {
  if (config.allowPlaintext) return;
  for (const key of PLAINTEXT_LISTENERS) {
    const address: Address | undefined = config[key];
    if (address === undefined || isLoopback(address.host)) continue;
    const flag = flagOf(SETTINGS[key]);
    throw new ConfigError(
      `${flag} ${addressText(address)} would be reached from other machines in plaintext, where tokens and data can be read on the way.`,
      key === 'http'
        ? `Use --https ${addressText(address)} with --http off, listen on 127.0.0.1, or add --allow-plaintext where the network is trusted.`
        : 'Listen on 127.0.0.1, or add --allow-plaintext where the network is trusted.',
    );
  }
}

function checkTlsFiles({ tlsCertificate, tlsKey }: Config): void {
  if ((tlsCertificate === undefined) === (tlsKey === undefined)) return;
  const [given, missing] =
    tlsKey === undefined ? ['certificate', '--tls-key'] : ['key', '--tls-certificate'];
  throw new ConfigError(
    `There is a ${given} for TLS, but ${missing} is not given.`,
    'Give both --tls-certificate and --tls-key, or neither.',
  );
}
