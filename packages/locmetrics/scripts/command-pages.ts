import type { Command } from 'commander';
import { loadCommands } from '../src/cli/command-list.ts';
import { createProgram } from '../src/cli/create-program.ts';
import type { DefinedCommand } from '../src/cli/define-command.ts';
import { EXIT_CODE_TABLE } from '../src/cli/exit-codes.ts';
import { fullName, withSubcommands } from '../src/cli/subcommands.ts';
import { COMMANDS } from '../src/commands/all.ts';
import { SETTING_KEYS } from '../src/config/settings.ts';
import COMMAND_OUTPUT from './command-output.json' with { type: 'json' };
import { COMMAND_TEXT } from './command-text.ts';
import { markdownTable } from './markdown-table.ts';

/** The commands of each page in `docs/reference/commands`, in their order; each command is on one page. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  'serve.md': ['demo', 'serve', 'explore', 'config print', 'explain', 'completion'],
  'publish.md': ['init', 'inspect', 'check', 'publish'],
  'versions.md': ['versions', 'diff', 'rollback', 'versions withdraw', 'dataset remove', 'gc'],
  'organisations.md': ['org create', 'org list', 'org suspend', 'org resume'],
  'tokens.md': ['token create', 'token list', 'token rotate', 'token revoke'],
  'grants.md': ['grant add', 'grant replace', 'grant list', 'grant check', 'grant remove'],
  'usage.md': [
    'usage',
    'usage merge',
    'limits set',
    'limits list',
    'exports list',
    'exports remove',
    'exports rotate-key',
    'audit',
  ],
  'maintenance.md': ['verify', 'recover', 'backup', 'control repair'],
  'nodes.md': ['nodes', 'control copy', 'clickhouse load', 'clickhouse fetch'],
};

/** The generated parts of the pages about the commands. */
export async function commandPages(): Promise<
  Readonly<Record<string, Readonly<Record<string, string>>>>
> {
  const program = await createProgram({
    commands: COMMANDS,
    parameters: 'all',
    run: async () => {},
    version: '',
    output: { data: () => {}, messages: () => {} },
    colours: { data: false, messages: false },
  });
  const definitions = await loadCommands(COMMANDS);
  const commands = new Map(
    withSubcommands(program).flatMap((command) => {
      const name = fullName(command).replace('locmetrics ', '');
      const definition = definitions.get(name);
      return definition === undefined ? [] : [[name, { name, command, definition }] as const];
    }),
  );
  const find = (name: string): Described => {
    const found = commands.get(name);
    if (found === undefined) throw new Error(`There is no command ${name}`);
    return found;
  };
  const pages = Object.entries(PAGES).map(([page, names]) => [
    page,
    { commands: names.map((name) => commandSection(find(name))).join('\n') },
  ]);
  const list = Object.entries(PAGES).flatMap(([page, names]) =>
    names.map((name) => [
      `[\`locmetrics ${name}\`](${page}#locmetrics-${name.replaceAll(' ', '-')})`,
      find(name).definition.summary,
    ]),
  );
  return {
    'README.md': {
      commands: markdownTable(['command', 'what it does'], list),
      'exit-codes': exitCodeTable(),
    },
    ...Object.fromEntries(pages),
  };
}

type Described = {
  readonly name: string;
  readonly command: Command;
  readonly definition: DefinedCommand;
};

function exitCodeTable(): string {
  return markdownTable(
    ['code', 'meaning'],
    Object.values(EXIT_CODE_TABLE).map(({ code, meaning }) => [String(code), meaning]),
  );
}

function commandSection({ name, command, definition }: Described): string {
  const outputs: Readonly<Record<string, unknown>> = COMMAND_OUTPUT;
  const texts: Readonly<Record<string, { readonly line: string; readonly prints: string }>> =
    COMMAND_TEXT;
  const { examples } = definition;
  const help = command.createHelp();
  const own = command.options.filter(({ helpGroupHeading }) => helpGroupHeading === undefined);
  const rows = [
    ...command.registeredArguments.map((argument) => [
      `\`${help.argumentTerm(argument)}\``,
      withCode(help.argumentDescription(argument)),
    ]),
    ...own.map((option) => [`\`${option.flags}\``, withCode(option.description)]),
  ];
  const exampleLines = Object.entries(examples).flatMap(([does, line]) => [
    `# ${does}`,
    ...line.split('\n').map((one) => `locmetrics ${one}`),
  ]);
  const text = texts[name];
  const output = outputs[name];
  return [
    `## locmetrics ${name}`,
    inParagraphs(command.description()),
    code('', [help.commandUsage(command)]),
    ...(rows.length === 0 ? [] : [markdownTable(['argument or flag', 'meaning'], rows).trimEnd()]),
    settingsText(command),
    code('sh', exampleLines),
    ...(text === undefined ? [] : [`\`locmetrics ${text.line}\` prints:`, code('', [text.prints])]),
    ...(output === undefined
      ? []
      : ['With `--json`:', code('json', [JSON.stringify(output, null, 2)])]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** A command has all settings, or only the named ones. */
function settingsText(command: Command): string {
  const settings = command.options.filter(({ helpGroupHeading }) => helpGroupHeading !== undefined);
  if (settings.length === 0) return '';
  const flags = settings.map(({ long }) => `\`${long}\``).join(', ');
  const which = settings.length > SETTING_KEYS.length ? 'every setting, `--config`' : flags;
  return `[Settings](../configuration.md): ${which}.`;
}

/** The first sentence is a paragraph: it says what the command does. */
function inParagraphs(description: string): string {
  const [first = '', ...others] = withCode(description).split(/(?<=[.]) (?=[A-Z])/);
  return others.length === 0 ? first : `${first}\n\n${others.join(' ')}`;
}

/** A text of the help with its flags and names of files as code, and pages as links. */
function withCode(text: string): string {
  return text
    .replaceAll(/(?<![\w`/])(--[a-z][a-z-]*[a-z]|[\w-]+\.(?:json|yaml|sqlite))(?![\w/`])/g, '`$1`')
    .replaceAll(/\bdocs\/([\w/-]+\.md)/g, '[docs/$1](../../$1)');
}

function code(language: string, lines: readonly string[]): string {
  return `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;
}
