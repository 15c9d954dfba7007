import { Option } from 'commander';
import { ConfigError } from '../config/config-error.ts';
import { quote } from '../config/quote.ts';
import type { AnyGiven, DefinedCommand } from './define-command.ts';

/** Reads the values of a command as commander passes them: those of arguments, then an object of the flags. */
export async function readGiven(
  definition: DefinedCommand,
  parsed: readonly unknown[],
): Promise<AnyGiven> {
  const names = Object.keys(definition.arguments).map((text) => text.replace(/[^a-z]/g, ''));
  const options: Readonly<Record<string, unknown>> = Object(parsed[names.length]);
  const flags = Object.keys(definition.flags).map((text) => new Option(text).attributeName());
  return {
    ...Object.fromEntries(flags.map((flag) => [flag, options[flag]])),
    ...Object.fromEntries(
      names.map((name, index) => [
        name,
        oneOf(parsed[index], flags.includes(name) ? options[name] : undefined),
      ]),
    ),
    settings: await readSettings(definition, options),
  };
}

/** An organisation is named by an argument or by a flag. */
function oneOf(argument: unknown, flag: unknown): unknown {
  if (argument !== undefined && flag !== undefined && argument !== flag) {
    throw new ConfigError(
      `Two organisations are named: ${quote(String(argument))} and, with --org, ${quote(String(flag))}.`,
      'Name one of them.',
    );
  }
  return argument ?? flag;
}

async function readSettings(
  { settings }: DefinedCommand,
  options: Readonly<Record<string, unknown>>,
) {
  if (settings === 'none') return {};
  return (await import('./setting-options.ts')).readSettingFlags(options);
}
