import { Argument, type Command, Option } from 'commander';
import {
  type CommandGroup,
  type CommandList,
  type LoadCommand,
  readEntry,
} from './command-list.ts';
import type { AnyGiven, ArgumentText, DefinedCommand, FlagText } from './define-command.ts';
import { examplesText } from './help-texts.ts';
import { ListOption, repeatable } from './list-option.ts';
import { readGiven } from './read-given.ts';

export type Adding = {
  /** The parameters that will be parsed, or `all`: only their commands get arguments and flags. */
  readonly parameters: readonly string[] | 'all';
  readonly run: (command: DefinedCommand, given: AnyGiven) => Promise<void>;
};

/** Adds the commands of a list: with their arguments and flags if the parameters name them, or else for the help. */
export async function addCommands(
  parent: Command,
  list: CommandList,
  { parameters, run }: Adding,
): Promise<void> {
  const needed = await Promise.all(neededEntries(list, parameters).map(loadEntry));
  for (const { name, texts, definition, subcommands } of needed) {
    const command = parent.command(name).summary(texts.summary);
    if (!isNamed(name, parameters)) continue;
    command.description(texts.description);
    if (definition !== undefined) await define(command, definition, run);
    if (subcommands === undefined) continue;
    command.usage(groupUsage(command, definition)).helpCommand(false);
    await addCommands(command, subcommands, { parameters: after(name, parameters), run });
  }
}

/** The command that comes first is the only one needed. A help or a suggestion needs all of them. */
function neededEntries(list: CommandList, parameters: Adding['parameters']) {
  const [first] = parameters;
  const entries = Object.entries(list);
  const found = entries.filter(([name]) => name === first);
  return found.length > 0 ? found : entries;
}

async function loadEntry([name, entry]: readonly [string, LoadCommand | CommandGroup]) {
  const { load, texts, subcommands } = readEntry(entry);
  const definition = (await load?.())?.command;
  return { name, definition, subcommands, texts: definition ?? texts };
}

function isNamed(name: string, parameters: Adding['parameters']): boolean {
  return parameters === 'all' || parameters.includes(name);
}

function after(name: string, parameters: Adding['parameters']): Adding['parameters'] {
  return parameters === 'all' ? 'all' : parameters.slice(parameters.indexOf(name) + 1);
}

function groupUsage({ registeredArguments }: Command, definition: DefinedCommand | undefined) {
  if (definition === undefined) return '<command> [options]';
  return ['[options]', ...registeredArguments.map((one) => `[${one.name()}]`)].join(' ');
}

/** Gives a command its arguments, flags and action. */
async function define(
  command: Command,
  definition: DefinedCommand,
  run: Adding['run'],
): Promise<void> {
  command.addHelpText('after', examplesText(definition.examples));
  for (const [name, details] of Object.entries(definition.arguments)) {
    command.addArgument(toArgument(name, details));
  }
  for (const [flags, details] of Object.entries(definition.flags)) {
    command.addOption(toOption(flags, details));
  }
  // The settings are shown after the other options. Their schema is many files, which the help of the program spares.
  if (definition.settings !== 'none') {
    const { withSettings } = await import('./setting-options.ts');
    withSettings(command, definition.settings);
  }
  command.action(async (...parsed) => run(definition, await readGiven(definition, parsed)));
}

function toArgument(name: string, details: string | ArgumentText): Argument {
  if (typeof details === 'string') return new Argument(name, details);
  const argument = new Argument(name, details.description);
  if (details.choices !== undefined) argument.choices(details.choices);
  return details.default === undefined ? argument : argument.default(details.default);
}

function toOption(flags: string, details: string | FlagText): Option {
  if (typeof details === 'string') return new Option(flags, details);
  const { description, words, conflicts, isRequired = false, isRepeatable = false } = details;
  const option = isRepeatable
    ? repeatable(flags, description, words)
    : new ListOption(flags, description, words);
  if (conflicts !== undefined) option.conflicts([conflicts].flat());
  return option.makeOptionMandatory(isRequired);
}
