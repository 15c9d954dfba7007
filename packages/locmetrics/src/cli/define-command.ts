import type { Command } from 'commander';
import type { SettingFlags } from '../config/read-config.ts';
import type { SettingKey } from '../config/settings.ts';
import type { Output } from './output.ts';

/**
 * Defines a command: all that the command line, the help, the completion and the reference know of it. A definition is
 * loaded to parse and to describe the command, so it loads what the command needs to run only when it runs.
 */
export function defineCommand<const Arguments extends ArgumentTexts, const Flags extends FlagTexts>(
  definition: CommandTexts & {
    /** `<manifest>`, `[dataset]` or `[datasets...]` → what it is; in this order. */
    readonly arguments: Arguments;
    /** `--json` or `--expires <duration>` → what it does. */
    readonly flags: Flags;
    readonly run: (
      output: Output,
      given: Given<Arguments, Flags>,
      commandLine: CommandLine,
    ) => Promise<void>;
  },
): DefinedCommand {
  return {
    ...definition,
    // Its arguments and flags are those that were parsed, so they have these names and types.
    run: (output, given, commandLine) =>
      definition.run(output, given as Given<Arguments, Flags>, commandLine),
  };
}

export type CommandTexts = {
  /** Shown in the list of commands. */
  readonly summary: string;
  /** Sentences for the help and the reference. */
  readonly description: string;
  /** Purpose → command line after `locmetrics`; several lines are several commands. */
  readonly examples: Readonly<Record<string, string>>;
  /** The settings that it has flags for, beside `--config`. */
  readonly settings: readonly SettingKey[] | 'all' | 'none';
};

/** A command of any arguments and flags. */
export type DefinedCommand = CommandTexts & {
  readonly arguments: ArgumentTexts;
  readonly flags: FlagTexts;
  readonly run: (output: Output, given: AnyGiven, commandLine: CommandLine) => Promise<void>;
};

/** The values of the arguments and flags, by their names in camel case. */
export type AnyGiven = { readonly settings: SettingFlags } & Readonly<Record<string, unknown>>;

/** The services of the command line for a command. */
export type CommandLine = {
  /** All commands with all flags. */
  readonly program: () => Promise<Command>;
  /** Text with the commands in it as the reader calls them: see `called-as.ts`. */
  readonly asCalled: (text: string) => string;
};

export type ArgumentTexts = Readonly<Record<`<${string}>` | `[${string}]`, string | ArgumentText>>;
export type FlagTexts = Readonly<Record<`--${string}`, string | FlagText>>;

export type ArgumentText = {
  readonly description: string;
  /** Its only values. */
  readonly choices?: readonly string[];
  readonly default?: string;
};

export type FlagText = {
  readonly description: string;
  readonly isRequired?: boolean;
  /** Its value is a list, with one item per occurrence. */
  readonly isRepeatable?: boolean;
  /** Flags that it cannot be given with, such as `replacePeriod`. */
  readonly conflicts?: string | readonly string[];
  /** The words of its value, which the shell completes. */
  readonly words?: readonly string[];
};

type Given<Arguments, Flags> = { readonly settings: SettingFlags } & {
  readonly [Text in keyof Arguments as ArgumentName<Text>]: ArgumentValue<Text, Arguments[Text]>;
} & { readonly [Text in keyof Flags as FlagName<Text>]: FlagValue<Text, Flags[Text]> };

type ArgumentName<Text> = Text extends
  | `<${infer Name}...>`
  | `[${infer Name}...]`
  | `<${infer Name}>`
  | `[${infer Name}]`
  ? Name extends `${string}...`
    ? never
    : Name
  : never;

type ArgumentValue<Text, Details> = Text extends `${string}...${string}`
  ? readonly string[]
  : Text extends `<${string}>`
    ? ValueOf<Details>
    : Details extends { readonly default: string }
      ? string
      : string | undefined;

type ValueOf<Details> = Details extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : string;

type FlagName<Text> = Text extends `--${infer Name} ${string}`
  ? CamelCase<Name>
  : Text extends `--${infer Name}`
    ? CamelCase<Name>
    : never;

type FlagValue<Text, Details> = Text extends `${string} ${string}`
  ? Details extends { readonly isRepeatable: true }
    ? readonly string[]
    : Details extends { readonly isRequired: true }
      ? string
      : string | undefined
  : boolean | undefined;

type CamelCase<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;

/** A function that runs a command with `--json`, and with these arguments and other flags. */
export type Run<Named = unknown> = (
  output: Output,
  given: { readonly settings: SettingFlags } & Switches<'json'> & Named,
) => Promise<void>;

/** Flags without a value, those with a text, required ones, and those that are repeated. */
export type Switches<Name extends string> = { readonly [Flag in Name]?: boolean | undefined };
export type Texts<Name extends string> = { readonly [Flag in Name]?: string | undefined };
export type RequiredTexts<Name extends string> = { readonly [Flag in Name]: string };
export type Lists<Name extends string> = { readonly [Flag in Name]: readonly string[] };
