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
