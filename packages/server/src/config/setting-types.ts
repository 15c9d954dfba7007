import { isIP } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { type Address, parseAddress } from './address.ts';

/** What can be written for a setting, and what it means. */
export type SettingType<Value> = {
  /** What stands for a value in help texts, for example `host:port`. */
  readonly placeholder: string;
  /** What is expected, for messages and the reference: it completes the sentence "it is not …". */
  readonly expected: string;
  /** Undefined for a text that is not what is expected. */
  readonly parse: (text: string) => { readonly value: Value } | undefined;
  /** Whether its flag may stand alone, which means `true`. */
  readonly isSwitch?: boolean;
  /** What `auto` stands for on this machine. */
  readonly autoText?: () => string;
};

/** A type whose values are never undefined, which so can stand for a text that cannot be read. */
function settingType<Value>({
  read,
  ...about
}: Omit<SettingType<Value>, 'parse'> & {
  readonly read: (text: string) => Value | undefined;
}): SettingType<Value> {
  return {
    ...about,
    parse: (text) => {
      const value = read(text);
      return value === undefined ? undefined : { value };
    },
  };
}

/** A path that is not absolute begins in the working directory. */
export const directoryPath = settingType({
  placeholder: 'directory',
  expected: 'the path of a directory',
  read: (text) => resolve(text),
});

export const filePathOrNone = orWord(
  'none',
  settingType({
    placeholder: 'file',
    expected: 'the path of a file',
    read: (text) => resolve(text),
  }),
);

export const addressOrOff: SettingType<Address | undefined> = orWord(
  'off',
  settingType({
    placeholder: 'host:port',
    expected: 'host:port, such as 127.0.0.1:8080, or [::1]:8080 for IPv6',
    read: parseAddress,
  }),
);

export const onOrOff = settingType({
  placeholder: 'on|off',
  expected: 'on or off',
  read: (text) => ON_OFF.get(text),
  isSwitch: true,
});

/** What YAML and many environments call on and off. */
const ON_OFF: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['off', false],
  ['true', true],
  ['false', false],
]);

/** Milliseconds, written as a whole number with a unit. */
export function duration(range: Range<string>): SettingType<number> {
  return settingType({
    placeholder: 'duration',
    expected: `a duration from ${range.min} to ${range.max}, such as 500ms, 30s, 5m or 1h`,
    read: (text) => within(readDuration(text), readDuration(range.min), readDuration(range.max)),
  });
}

type Range<Limit> = { readonly min: Limit; readonly max: Limit };

/** Milliseconds, or undefined for `off`. */
export function durationOrOff(range: Range<string>): SettingType<number | undefined> {
  return orWord('off', duration(range));
}

const DURATION_UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

function readDuration(text: string): number {
  return readQuantity(text, DURATION_UNITS_MS);
}

/** Bytes, written as a whole number with a unit. */
export function size(range: Range<string>): SettingType<number> {
  return settingType({
    placeholder: 'size',
    expected: `a size from ${range.min} to ${range.max}, such as 512KiB, 64MiB or 2GiB`,
    read: (text) => within(readSize(text), readSize(range.min), readSize(range.max)),
  });
}

const SIZE_UNITS: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
]);

function readSize(text: string): number {
  return readQuantity(text, SIZE_UNITS);
}

export function sizeText(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)}MiB`;
}

/** A whole number with a unit; NaN for another text. */
function readQuantity(text: string, units: ReadonlyMap<string, number>): number {
  const match = /^([0-9]{1,15})([A-Za-z]+)$/.exec(text);
  return Number(match?.[1]) * (units.get(match?.[2] ?? '') ?? Number.NaN);
}

export function count({ min, max }: Range<number>): SettingType<number> {
  return settingType({
    placeholder: 'number',
    expected: `a whole number from ${min} to ${max}`,
    read: (text) => (/^[0-9]+$/.test(text) ? within(Number(text), min, max) : undefined),
  });
}

/** A share, from 0 to 1. */
export const ratio = settingType({
  placeholder: 'ratio',
  expected: 'a number from 0 to 1, such as 0.1',
  read: (text) => (/^[0-9]+(\.[0-9]+)?$/.test(text) ? within(Number(text), 0, 1) : undefined),
});

/** The value, or what the machine suggests for `auto`. */
export function orAuto(
  type: SettingType<number>,
  suggest: () => number,
  toText: (value: number) => string = String,
): SettingType<number> {
  return {
    ...type,
    autoText: () => toText(suggest()),
    expected: `auto or ${type.expected}`,
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

export const httpUrlOrOff: SettingType<string | undefined> = orWord(
  'off',
  settingType({
    placeholder: 'url',
    expected: 'an address that begins with http:// or https://',
    read: (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
  }),
);

/** Origins of pages, or `*` for every one. */
export const origins: SettingType<readonly string[]> = listOf({
  placeholder: 'origins',
  expected: 'origins such as https://maps.example.org, or * for every one',
  read: (text) =>
    text === '*' || (URL.canParse(text) && new URL(text).origin === text) ? text : undefined,
});

/** Addresses and networks of machines. */
export const networks: SettingType<readonly string[]> = listOf({
  placeholder: 'networks',
  expected: 'addresses or networks such as 10.0.0.0/8 or ::1',
  read: (text) => {
    const [host = '', bits, more] = text.split('/');
    const family = isIP(host);
    if (family === 0 || more !== undefined) return undefined;
    if (bits === undefined) return text;
    return /^[0-9]+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128) ? text : undefined;
  },
});

/** Headers of requests that the service sends: `name=value`, separated by commas. */
export const headers: SettingType<Readonly<Record<string, string>>> = settingType({
  placeholder: 'headers',
  expected: 'none or name=value, such as authorization=Bearer%20abc, separated by commas',
  read: (text) => {
    if (text === 'none') return {};
    const pairs = text.split(',').map((part) => /^([A-Za-z0-9-]+)=([!-~]*)$/.exec(part.trim()));
    if (pairs.includes(null)) return undefined;
    try {
      return Object.fromEntries(
        pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]),
      );
    } catch {
      return undefined;
    }
  },
});

/** Several values, separated by commas; `none` for an empty list. */
function listOf(type: {
  readonly placeholder: string;
  readonly expected: string;
  readonly read: (text: string) => string | undefined;
}): SettingType<readonly string[]> {
  return settingType({
    placeholder: type.placeholder,
    expected: `none or ${type.expected}, separated by commas`,
    read: (text) => {
      if (text === 'none') return [];
      const values = text.split(',').map((part) => type.read(part.trim()));
      return values.every((value) => value !== undefined) ? values : undefined;
    },
  });
}

/** The value, or undefined for a word such as `off`. */
function orWord<Value>(word: string, type: SettingType<Value>): SettingType<Value | undefined> {
  return {
    ...type,
    expected: `${word} or ${type.expected}`,
    parse: (text) => (text === word ? { value: undefined } : type.parse(text)),
  };
}

function within(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined;
}
