import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FIELD_TYPES } from '@locmetrics/core/domain/field';
import {
  FILTER_OPERATOR_NAMES,
  FILTER_OPERATORS,
  supportedOperators,
} from '@locmetrics/core/domain/filter';
import type { Command, Option } from 'commander';
import { loadCommands } from '../src/cli/command-list.ts';
import { createProgram } from '../src/cli/create-program.ts';
import type { DefinedCommand } from '../src/cli/define-command.ts';
import { EXIT_CODE_TABLE } from '../src/cli/exit-codes.ts';
import { fullName, withSubcommands } from '../src/cli/subcommands.ts';
import { COMMANDS } from '../src/commands/all.ts';
import {
  environmentNameOf,
  flagOf,
  SETTING_KEYS,
  SETTINGS,
  type Setting,
} from '../src/config/settings.ts';
import COMMAND_OUTPUT from './command-output.json' with { type: 'json' };
import { manifestTables } from './manifest-tables.ts';
import { markdownTable } from './markdown-table.ts';

export type Page = { readonly path: string; readonly text: string };

/** The reference pages. The parts between two marks are generated from the code. */
export async function referencePages(): Promise<readonly Page[]> {
  return [
    fillPage('configuration.md', { settings: settingTables() }),
    fillPage('catalog-interface.md', { operators: operatorTable() }),
    ...Object.entries(manifestTables()).map(([page, tables]) =>
      fillPage(`manifest/${page}`, tables),
    ),
    fillPage('command-line.md', {
      commands: await commandSections(),
      'exit-codes': exitCodeTable(),
    }),
  ];
}

/** A generated part is between `<!-- name -->` and `<!-- /name -->`. */
function fillPage(name: string, parts: Readonly<Record<string, string>>): Page {
  const path = fileURLToPath(new URL(`../../../docs/reference/${name}`, import.meta.url));
  let text = readFileSync(path, 'utf8');
  for (const [part, content] of Object.entries(parts)) {
    const [begin, end] = [`<!-- ${part} -->\n`, `<!-- /${part} -->`];
    const [before, , after] = text.split(new RegExp(`(?<=${begin})([^]*)(?=${end})`));
    if (before === undefined || after === undefined) throw new Error(`${name} has no ${begin}`);
    text = `${before}\n${content}\n${after}`;
  }
  return { path, text };
}

/** A row for the types of fields that support the same operators. */
function operatorTable(): string {
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``);
  const lists = FILTER_OPERATOR_NAMES.filter((name) => FILTER_OPERATORS[name].takes === 'list');
  const types = Map.groupBy(FIELD_TYPES, (type) => code(supportedOperators(type)).join(' '));
  const rows = [...types].map(([operators, same]) => [same.join(', '), operators]);
  const listed = new Intl.ListFormat('en-GB').format(code(lists));
  return [
    `\`{"fieldName": …, "operator": …, "value": …}\`, or \`"values": […]\` for ${listed}.\n\n`,
    markdownTable(['type of the field', 'operators'], rows),
  ].join('');
}

function settingTables(): string {
  const groups = Map.groupBy(SETTING_KEYS, (key) => SETTINGS[key].group);
  return [...groups]
    .map(([group, keys]) => {
      const rows = keys.map((key) => {
        const setting: Setting<unknown> = SETTINGS[key];
        const { type, defaultText, description, isSecret } = setting;
        return [
          `\`${flagOf(setting)}\``,
          `\`${environmentNameOf(setting)}\``,
          type.expected,
          `\`${defaultText}\``,
          isSecret === true ? `${description} Secret.` : description,
        ];
      });
      return `## ${group}\n\n${markdownTable(['flag', 'variable', 'value', 'default', 'what it does'], rows)}`;
    })
    .join('\n');
}

function exitCodeTable(): string {
  return markdownTable(
    ['code', 'meaning'],
    Object.values(EXIT_CODE_TABLE).map(({ code, meaning }) => [String(code), meaning]),
  );
}

async function commandSections(): Promise<string> {
  const program = await createProgram({
    commands: COMMANDS,
    parameters: 'all',
    run: async () => {},
    version: '',
    output: { data: () => {}, messages: () => {} },
    colours: { data: false, messages: false },
  });
  const definitions = await loadCommands(COMMANDS);
  return withSubcommands(program)
    .flatMap((command) => {
      const name = fullName(command).replace('locmetrics ', '');
      const definition = definitions.get(name);
      return definition === undefined ? [] : [commandSection(name, command, definition)];
    })
    .join('\n');
}

function commandSection(key: string, command: Command, { examples }: DefinedCommand): string {
  const outputs: Readonly<Record<string, unknown>> = COMMAND_OUTPUT;
  const help = command.createHelp();
  const own = command.options.filter(({ helpGroupHeading }) => helpGroupHeading === undefined);
  const settings = command.options.filter(({ helpGroupHeading }) => helpGroupHeading !== undefined);
  const rows = [
    ...command.registeredArguments.map((argument) => [
      `\`${help.argumentTerm(argument)}\``,
      help.argumentDescription(argument),
    ]),
    ...own.map((option) => [`\`${option.flags}\``, option.description]),
    ...(settings.length === 0 ? [] : [settingsRow(settings)]),
  ];
  const exampleLines = Object.entries(examples).flatMap(([does, line]) => [
    `# ${does}`,
    ...line.split('\n').map((one) => `locmetrics ${one}`),
  ]);
  return [
    `## locmetrics ${key}`,
    command.description(),
    code('', [help.commandUsage(command)]),
    ...(rows.length === 0
      ? []
      : [markdownTable(['argument or flag', 'what it is'], rows).trimEnd()]),
    code('sh', exampleLines),
    ...(outputs[key] === undefined
      ? []
      : ['With `--json`:', code('json', [JSON.stringify(outputs[key], null, 2)])]),
  ]
    .join('\n\n')
    .concat('\n');
}

/** A command has all settings, or only the named ones. */
function settingsRow(options: readonly Option[]): readonly string[] {
  const flags = options.map(({ long }) => `\`${long}\``);
  const isAll = options.length > SETTING_KEYS.length;
  return [
    isAll ? 'every setting, `--config`' : flags.join(', '),
    'see [configuration](configuration.md)',
  ];
}

function code(language: string, lines: readonly string[]): string {
  return `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;
}
