import type { CommandTexts, DefinedCommand } from './define-command.ts';

/** Commands by their names, in the order of the help. Each file is loaded when something needs its definition. */
export type CommandList = { readonly [Name in string]: LoadCommand | CommandGroup };

export type LoadCommand = () => Promise<{ readonly command: DefinedCommand }>;

/** A word before subcommands; with `load` it is a command too. */
export type CommandGroup = { readonly subcommands: CommandList } & (
  | { readonly texts: GroupTexts }
  | { readonly load: LoadCommand }
);

type GroupTexts = Pick<CommandTexts, 'summary' | 'description'>;

type ReadEntry = {
  readonly load?: LoadCommand;
  readonly texts: GroupTexts;
  readonly subcommands?: CommandList;
};

/** An entry of a list: a command, or a group with a command or texts of its own. */
export function readEntry(entry: LoadCommand | CommandGroup): ReadEntry {
  if (typeof entry === 'function') return { load: entry, texts: NO_TEXTS };
  return { texts: NO_TEXTS, ...entry };
}

/** A command has the texts of its definition. */
const NO_TEXTS: GroupTexts = { summary: '', description: '' };

/** The definitions of all commands that run something, by their full names: `token create`. */
export async function loadCommands(
  list: CommandList,
): Promise<ReadonlyMap<string, DefinedCommand>> {
  const loaded = Object.entries(list).map(async ([name, entry]) => {
    const { load, subcommands = {} } = readEntry(entry);
    const own = load === undefined ? [] : [[name, (await load()).command] as const];
    const others = [...(await loadCommands(subcommands))];
    return [...own, ...others.map(([rest, command]) => [`${name} ${rest}`, command] as const)];
  });
  return new Map((await Promise.all(loaded)).flat());
}
