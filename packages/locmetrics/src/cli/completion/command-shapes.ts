import type { Command, Option } from 'commander';
import { ListOption } from '../list-option.ts';
import { fullName, withSubcommands } from '../subcommands.ts';

/** The words that can follow a command; the completion scripts of all shells use them. */
export type CommandShape = {
  /** Its words after `locmetrics`; empty for the program itself. */
  readonly name: string;
  readonly subcommands: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly FlagShape[];
  /** The kinds of its arguments. */
  readonly argument: ValueShape;
};

export type FlagShape = {
  /** For example `--data`. */
  readonly flag: string;
  readonly description: string;
  readonly value: ValueShape;
};

/** The kind of a value: none, any text, a path, the id of an organisation, or one of several words. */
export type ValueShape =
  | 'nothing'
  | 'text'
  | 'file'
  | 'directory'
  | 'organisation'
  | readonly string[];

/** Prints the ids that can complete a value; it prints nothing if there is no data directory. */
export const LIST_ORGANISATIONS = 'command locmetrics org list --ids 2>/dev/null';

export function commandShapes(program: Command): readonly CommandShape[] {
  const help = program.createHelp();
  return withSubcommands(program).map((command) => ({
    name: fullName(command).replace(/^\S+ ?/, ''),
    subcommands: help
      .visibleCommands(command)
      .map((one) => ({ name: one.name(), summary: help.subcommandDescription(one) })),
    flags: help.visibleOptions(command).map((option) => ({
      flag: option.long ?? option.flags,
      description: option.description,
      value: valueShape(option),
    })),
    argument: argumentShape(command),
  }));
}

/** The placeholder of a flag shows the kind of its value. */
function valueShape(option: Option): ValueShape {
  const { flags, long } = option;
  if (long === '--org') return 'organisation';
  if (option instanceof ListOption && option.words.length > 0) return option.words;
  const placeholder = /[<[](.+)[>\]]$/.exec(flags)?.[1];
  if (placeholder === undefined) return 'nothing';
  if (placeholder === 'file' || placeholder === 'directory') return placeholder;
  return placeholder.includes('|') ? placeholder.split('|') : 'text';
}

function argumentShape(command: Command): ValueShape {
  const [first] = command.registeredArguments;
  if (first === undefined) return 'nothing';
  if (first.name() === 'org') return 'organisation';
  return first.argChoices ?? (FILE_ARGUMENTS.has(first.name()) ? 'file' : 'text');
}

const FILE_ARGUMENTS: ReadonlySet<string> = new Set(['manifest', 'files']);
