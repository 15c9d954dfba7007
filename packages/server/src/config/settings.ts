/** A setting of the service: from its flag, else from the environment, else its default. */
export type Setting = {
  readonly flag: string;
  readonly environment: string;
  readonly defaultValue: string;
  readonly description: string;
};

export const SETTINGS = {
  data: {
    flag: '--data <directory>',
    environment: 'LOCMETRICS_DATA',
    defaultValue: '.locmetrics',
    description: 'data directory: versions, organisations and tokens',
  },
  http: {
    flag: '--http <host:port>',
    environment: 'LOCMETRICS_HTTP',
    defaultValue: '127.0.0.1:8080',
    description: 'where the HTTP interface listens; port 0 takes a free one',
  },
  grpc: {
    flag: '--grpc <host:port>',
    environment: 'LOCMETRICS_GRPC',
    defaultValue: '127.0.0.1:8443',
    description:
      'where the gRPC interface listens, over TLS; port 0 takes a free one, off turns it off',
  },
  grpcPlaintext: {
    flag: '--grpc-plaintext <host:port>',
    environment: 'LOCMETRICS_GRPC_PLAINTEXT',
    defaultValue: 'off',
    description: 'where the gRPC interface listens without TLS too',
  },
  tlsCertificate: {
    flag: '--tls-certificate <file>',
    environment: 'LOCMETRICS_TLS_CERTIFICATE',
    defaultValue: 'none',
    description:
      'certificate chain of the gRPC interface, in PEM; none: one for this machine is kept in the data directory',
  },
  tlsKey: {
    flag: '--tls-key <file>',
    environment: 'LOCMETRICS_TLS_KEY',
    defaultValue: 'none',
    description: 'private key of that certificate, in PEM without a passphrase',
  },
  queryTimeout: {
    flag: '--query-timeout <ms>',
    environment: 'LOCMETRICS_QUERY_TIMEOUT_MS',
    defaultValue: '30000',
    description: 'a query that takes longer is stopped, in milliseconds',
  },
} as const satisfies Record<string, Setting>;

/** A setting or argument that cannot be used. */
export class ConfigError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'ConfigError';
    this.hint = hint;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a setting, and where it came from for messages. */
export function resolveSetting(
  setting: Setting,
  flagValue: string | undefined,
  environment: Environment,
): string {
  const value = flagValue ?? environment[setting.environment] ?? setting.defaultValue;
  if (value !== '') return value;
  const name = flagValue === undefined ? setting.environment : setting.flag.split(' ')[0];
  throw new ConfigError(
    `The setting ${name} is empty.`,
    `Give it a value, or leave it out for the default ${setting.defaultValue}.`,
  );
}

export type Address = { readonly host: string; readonly port: number };

/** Reads `host:port`, with brackets around an IPv6 address: `[::1]:8080`. */
export function parseAddress(text: string): Address {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):([0-9]{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw new ConfigError(
      `'${text}' is not host:port.`,
      'Write for example 127.0.0.1:8080, or [::1]:8080 for IPv6.',
    );
  }
  return { host: match[1] ?? match[2] ?? '', port };
}

/** Reads `host:port`, or undefined for `off`. */
export function parseAddressOrOff(text: string): Address | undefined {
  return text === 'off' ? undefined : parseAddress(text);
}

export type TlsFiles = { readonly certificateFile: string; readonly keyFile: string };

/** Reads the paths of a certificate and its key, or undefined when there are none. */
export function parseTlsFiles(certificate: string, key: string): TlsFiles | undefined {
  if (certificate === 'none' && key === 'none') return undefined;
  if (certificate !== 'none' && key !== 'none')
    return { certificateFile: certificate, keyFile: key };
  const [given, missing] =
    key === 'none' ? ['certificate', '--tls-key'] : ['key', '--tls-certificate'];
  throw new ConfigError(
    `There is a ${given} for TLS, but ${missing} is not given.`,
    'Give both --tls-certificate and --tls-key, or neither.',
  );
}

/** Whether only this machine reaches the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** A whole number of milliseconds from 1 to an hour. */
export function parseTimeoutMs(text: string): number {
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value >= 1 && value <= 3_600_000) return value;
  throw new ConfigError(
    `'${text}' is not a number of milliseconds.`,
    'Write a whole number from 1 to 3600000.',
  );
}
