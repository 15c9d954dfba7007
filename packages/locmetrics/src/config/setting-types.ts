import { isIP } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { DURATION_UNITS_MS, DURATION_UNITS_TEXT } from '@locmetrics/core/errors/duration-units';
import { parseQuantity } from '@locmetrics/core/errors/parse-quantity';
import { isLoopback } from '@locmetrics/core/network/is-loopback';
import { OWN_PATHS, pathPrefixProblem } from '@locmetrics/core/network/path-prefix-problem';
import { type Address, parseAddress } from './listen-address.ts';

/** The accepted texts of a setting, and their values. */
export type SettingType<Value> = {
  /** The placeholder of the value in help texts, for example `host:port`. */
  readonly placeholder: string;
  /** The accepted values, for messages and the reference: it completes the sentence "Write …". */
  readonly expected: string;
  readonly parse: (text: string) => Parsed<Value>;
  /** The text without a password in it, for output; absent: texts have none. */
  readonly hidePassword?: (text: string) => string;
  /** Whether its flag can be given without a value, which means `true`. */
  readonly isSwitch?: boolean;
  /** The value of `auto` on this machine. */
  readonly autoText?: () => string;
};

/**
 * A value, or a problem. `problem` completes the sentence "'text' …" and repeats nothing of the text, which
 * can be a secret. `part` is the part to quote, if not the whole text.
 */
export type Parsed<Value> =
  | { readonly value: Value }
  | { readonly problem: string; readonly part?: string };

/** A relative path starts in the working directory. */
export const directoryPath: SettingType<string> = {
  placeholder: 'directory',
  expected: 'the path of a directory',
  parse: parsePath,
};

export const filePathOrNone: SettingType<string | undefined> = orWord('none', {
  placeholder: 'file',
  expected: 'the path of a file',
  parse: parsePath,
});

function parsePath(text: string): Parsed<string> {
  return /^~($|\/)/.test(text)
    ? { problem: 'begins with ~, which only a shell expands' }
    : { value: resolve(text) };
}

export const addressOrOff: SettingType<Address | undefined> = orWord('off', {
  placeholder: 'host:port',
  expected: 'an address with its port, such as 127.0.0.1:8080 or [::1]:8080',
  parse: (text) => {
    const address = parseAddress(text);
    return typeof address === 'string' ? { problem: address } : { value: address };
  },
});

export const onOrOff: SettingType<boolean> = {
  placeholder: 'on|off',
  expected: 'on or off',
  parse: (text) => {
    const value = ON_OFF.get(text);
    return value === undefined ? { problem: 'is neither on nor off' } : { value };
  },
  isSwitch: true,
};

/** The words for on and off in YAML and many environments. */
const ON_OFF: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['off', false],
  ['true', true],
  ['false', false],
]);

/** One of some words. */
export function choice<const Word extends string>(words: readonly Word[]): SettingType<Word> {
  return {
    placeholder: words.join('|'),
    expected: words.join(' or '),
    parse: (text) => {
      const value = words.find((word) => word === text);
      return value === undefined ? { problem: `is not ${words.join(' or ')}` } : { value };
    },
  };
}

type Range<Limit> = { readonly min: Limit; readonly max: Limit };

/** Milliseconds, written as a whole number with a unit. */
export function duration(range: Range<string>): SettingType<number> {
  return {
    placeholder: 'duration',
    expected: `a whole number of ${DURATION_UNITS_TEXT}, from ${range.min} to ${range.max}`,
    parse: (text) => parseWithin(text, DURATION_UNITS_MS, range),
  };
}

/** Milliseconds, or undefined for `off`. */
export function durationOrOff(range: Range<string>): SettingType<number | undefined> {
  return orWord('off', duration(range));
}

/** Bytes, written as a whole number with a unit. */
export function size(range: Range<string>): SettingType<number> {
  return {
    placeholder: 'size',
    expected: `a whole number of B, KiB, MiB, GiB or TiB, from ${range.min} to ${range.max}`,
    parse: (text) => parseWithin(text, SIZE_UNITS, range),
  };
}

const SIZE_UNITS: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
]);

export function sizeText(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)}MiB`;
}

function parseWithin(
  text: string,
  units: ReadonlyMap<string, number>,
  { min, max }: Range<string>,
): Parsed<number> {
  const quantity = parseQuantity(text, units);
  if (typeof quantity === 'string') return { problem: quantity };
  if (quantity < Number(parseQuantity(min, units))) return { problem: `is less than ${min}` };
  if (quantity > Number(parseQuantity(max, units))) return { problem: `is more than ${max}` };
  return { value: quantity };
}

export function count({ min, max }: Range<number>): SettingType<number> {
  return {
    placeholder: 'number',
    expected: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      if (!/^[0-9]+$/.test(text)) return { problem: 'is not a whole number' };
      const number = Number(text);
      if (number < min) return { problem: `is less than ${min}` };
      return number > max ? { problem: `is more than ${max}` } : { value: number };
    },
  };
}

/** A number, or undefined for `tenth`. */
export function countOrTenth(range: Range<number>): SettingType<number | undefined> {
  return orWord('tenth', count(range));
}

/** A share, from 0 to 1. */
export const ratio: SettingType<number> = {
  placeholder: 'ratio',
  expected: 'a number from 0 to 1, such as 0.1',
  parse: (text) => {
    if (!/^[0-9]+(\.[0-9]+)?$/.test(text)) return { problem: 'is not a number from 0 to 1' };
    return Number(text) > 1 ? { problem: 'is more than 1' } : { value: Number(text) };
  },
};

/** The value, or for `auto` the value that suits the machine. */
export function orAuto(
  type: SettingType<number>,
  suggest: () => number,
  toText: (value: number) => string = String,
): SettingType<number> {
  return {
    ...type,
    autoText: () => toText(suggest()),
    expected: `${type.expected}, or auto`,
    parse: (text) => (text === 'auto' ? { value: suggest() } : type.parse(text)),
  };
}

/** The cores that this process may use. */
export const coresOfMachine = availableParallelism;

/** The memory that this process may use, in bytes: a container can be given less than the machine has. */
export function memoryOfMachineBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem();
}

const httpUrl: SettingType<string> = {
  placeholder: 'url',
  expected: 'a URL that begins with http:// or https://',
  parse: (text) => {
    const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
    if (url === null) {
      // The text can contain a password or a query, and their end is unknown.
      const hidden = /[@?#]/.test(text) ? { part: '(hidden)' } : {};
      return { problem: 'is not an HTTP URL', ...hidden };
    }
    if (/[?#]/.test(text)) {
      return {
        problem: 'has a query or a fragment, which is not allowed',
        part: url.host,
      };
    }
    return url.username === '' && url.password === ''
      ? { value: text }
      : { problem: 'has a user name or a password, which would be visible', part: url.host };
  },
};

export const httpUrlOrOff = orWord('off', httpUrl);
export const httpUrlOrAuto = orWord('auto', httpUrl);

/** The address of a ClickHouse. */
export type ClickhouseAddress = {
  /** Such as `https://clickhouse.example:8443`: without a path, a user or a password. */
  readonly url: string;
  readonly database: string;
  readonly username: string;
  /** Undefined: the address has none. */
  readonly password: string | undefined;
};

export const clickhouseOrOff: SettingType<ClickhouseAddress | undefined> = orWord('off', {
  placeholder: 'url',
  expected: 'a URL with a database, such as https://user@clickhouse.example:8443/locmetrics',
  hidePassword: (text) => text.replace(/^(https?:\/\/[^/:@]*):[^@]*@/, '$1:(hidden)@'),
  parse: (text) => {
    const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
    // The text can contain a password, whose end is unknown.
    const hidden = /[@?#]/.test(text) ? { part: '(hidden)' } : {};
    if (url === null) return { problem: 'is not an HTTP URL', ...hidden };
    const part = url.host;
    if (/[?#]/.test(text))
      return { problem: 'has a query or a fragment, which is not allowed', part };
    const database = decodeUrl(url.pathname.slice(1));
    const username = decodeUrl(url.username);
    const password = decodeUrl(url.password);
    if (database === undefined || username === undefined || password === undefined) {
      return { problem: 'has a part that is not percent-encoded text', part };
    }
    if (database === '') return { problem: 'names no database', part };
    if (database.includes('/')) return { problem: 'has more than one part in its path', part };
    return {
      value: {
        url: url.origin,
        database,
        username: username === '' ? 'default' : username,
        password: password === '' ? undefined : password,
      },
    };
  },
});

/** Undefined for text that cannot be decoded. */
function decodeUrl(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A text that is shown nowhere. */
export const passwordOrNone: SettingType<string | undefined> = orWord('none', {
  placeholder: 'password',
  expected: 'a password',
  parse: (text) => ({ value: text }),
});

/** The name of something that is configured elsewhere. */
export const nameOrNone: SettingType<string | undefined> = orWord('none', {
  placeholder: 'name',
  expected: 'a name of letters, digits, _, - and .',
  parse: (text) =>
    /^[\w.-]+$/.test(text)
      ? { value: text }
      : { problem: 'has other characters than letters, digits, _, - and .' },
});

/** The key of a webhook's signatures, in the form that receivers use. */
export const webhookSecretOrNone: SettingType<string | undefined> = orWord('none', {
  placeholder: 'secret',
  expected: 'whsec_ and 24 to 64 bytes in base64',
  parse: (text) => {
    const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1] ?? '';
    const bytes = Buffer.from(encoded, 'base64');
    return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === encoded
      ? { value: text }
      : { problem: 'is not such a secret', part: '(hidden)' };
  },
});

/** Origins of pages, or `*` for all. */
export const origins: SettingType<readonly string[]> = listOf({
  placeholder: 'origins',
  expected: 'origins such as https://maps.example.org, or * for all',
  problem: 'is not an origin: an origin has no path and no slash at its end',
  isValid: (text) => text === '*' || URL.parse(text)?.origin === text,
});

/** Names of hosts. */
export const hostNames: SettingType<readonly string[]> = listOf({
  placeholder: 'names',
  expected: 'host names such as maps.example.org or *.example.org, or * for all',
  problem: 'is not a host name: it has no port, and a star only instead of its first part',
  isValid: (text) => text === '*' || /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text),
});

/** The path below which a proxy offers the service; empty for `none`. */
export const basePathOrNone: SettingType<string> = {
  placeholder: 'path',
  expected: 'a path such as /metrics-data, or none',
  parse: (text) => {
    if (text === 'none') return { value: '' };
    const problem = pathPrefixProblem(text);
    if (problem !== undefined) return { problem };
    const [, first = ''] = text.split('/');
    return OWN_PATHS.has(first)
      ? { problem: `begins with /${first}, which the service uses itself` }
      : { value: text };
  },
};

/** Addresses and networks of machines. */
export const networks: SettingType<readonly string[]> = listOf({
  placeholder: 'networks',
  expected: 'addresses or networks such as 10.0.0.0/8 or ::1',
  problem: 'is neither an address nor a network',
  isValid: (text) => {
    const [host = '', bits, more] = text.split('/');
    const family = host.includes('%') ? 0 : isIP(host);
    if (family === 0 || more !== undefined) return false;
    return (
      bits === undefined || (/^[0-9]+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
    );
  },
});

/** Headers of requests that the service sends: `name=value`, separated by commas. */
export const headers: SettingType<Readonly<Record<string, string>>> = {
  placeholder: 'headers',
  expected:
    'name=value, such as authorization=Bearer%20abc, separated by commas and percent-encoded, or none',
  parse: (text) => {
    if (text === 'none') return { value: {} };
    const pairs = text.split(',').map((part) => /^([A-Za-z0-9-]+)=([!-~]*)$/.exec(part.trim()));
    if (pairs.includes(null)) return { problem: 'has a part that is not name=value' };
    const values = pairs.map((pair) => [pair?.[1] ?? '', decodePercent(pair?.[2] ?? '')]);
    return values.every(([, value]) => value !== undefined)
      ? { value: Object.fromEntries(values) }
      : { problem: 'has a value that is not percent-encoded header text' };
  },
};

/** Undefined for text that cannot be decoded, and for characters that would end a header. */
function decodePercent(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return /^[\t -~]*$/.test(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** Several values, separated by commas; `none` for an empty list. */
function listOf({
  placeholder,
  expected,
  problem,
  isValid,
}: {
  readonly placeholder: string;
  readonly expected: string;
  readonly problem: string;
  readonly isValid: (text: string) => boolean;
}): SettingType<readonly string[]> {
  return {
    placeholder,
    expected: `${expected}, separated by commas, or none`,
    parse: (text) => {
      if (text === 'none') return { value: [] };
      const values = text.split(',').map((part) => part.trim());
      const wrong = values.find((value) => !isValid(value));
      return wrong === undefined ? { value: values } : { problem, part: wrong };
    },
  };
}

/** The value, or undefined for a word such as `off`. */
function orWord<Value>(word: string, type: SettingType<Value>): SettingType<Value | undefined> {
  return {
    ...type,
    expected: `${type.expected}, or ${word}`,
    parse: (text) => (text === word ? { value: undefined } : type.parse(text)),
  };
}

/** The address of a PostgreSQL. Its password may be in it, so no problem quotes it. */
export const postgresUrlOrFile: SettingType<string | undefined> = orWord('file', {
  placeholder: 'url',
  expected: 'a URL such as postgres://user@host/database?sslmode=verify-full',
  parse: (text) => {
    const url = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null;
    if (url === null) return { problem: 'is not a URL of PostgreSQL' };
    if (url.pathname.length < 2) return { problem: 'names no database' };
    const { searchParams } = url;
    const unknown = [...searchParams.keys()].find((name) => !POSTGRES_PARAMETERS.has(name));
    if (unknown !== undefined) {
      return {
        problem: `has a parameter that is not one of ${[...POSTGRES_PARAMETERS].join(', ')}`,
      };
    }
    const mode = searchParams.get('sslmode');
    if (mode === null && !isOnThisMachine(url)) {
      return {
        problem:
          'names another machine without sslmode; sslmode=disable is for a network that you trust',
      };
    }
    return mode === null || mode === 'verify-full' || mode === 'disable'
      ? { value: text }
      : { problem: 'has an sslmode that is neither verify-full nor disable' };
  },
});

/** `host` is the folder of a Unix socket. */
const POSTGRES_PARAMETERS: ReadonlySet<string> = new Set([
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'host',
]);

function isOnThisMachine({ hostname, searchParams }: URL): boolean {
  if (hostname === '') return searchParams.get('host')?.startsWith('/') ?? true;
  return isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
