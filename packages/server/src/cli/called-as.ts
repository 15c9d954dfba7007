import { basename, relative } from 'node:path';
import { COMMAND_TEXTS } from './command-texts.ts';

/**
 * How the reader calls this program: `locmetrics` where it is on the PATH, `npx locmetrics` where npm has it, or Node
 * with the path of the script. Node keeps the path as it was called, with its links.
 */
export function calledAs(
  script: string | undefined = process.argv[1],
  {
    environment = process.env,
    directory = process.cwd(),
  }: {
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly directory?: string;
  } = {},
): string {
  const path = script ?? '';
  if (/[\\/]node_modules[\\/]\.bin[\\/][^\\/]+$/.test(path)) return `npx ${NAME}`;
  if (basename(path) !== SCRIPT) return NAME;
  // A script of package.json, such as `npm start`: its reader knows npm, and not the path of the script.
  const event = environment['npm_lifecycle_event'];
  if (event === 'start') return `npx ${NAME}`;
  const shorter = relative(directory, path);
  return `node ${shorter.startsWith('..') ? path : shorter}`;
}

const NAME = 'locmetrics';
const SCRIPT = 'locmetrics.js';

/** Text with the commands in it as the reader calls them. Other uses of the name stay as they are. */
export function asCalled(text: string, called = calledAs()): string {
  return called === NAME ? text : text.replaceAll(COMMAND, () => called);
}

const FIRST_WORDS = new Set(Object.keys(COMMAND_TEXTS).map((name) => name.split(' ')[0] ?? name));

/** The name before a command, a flag or a placeholder of these; not in a path or in a command line with npx. */
const COMMAND = new RegExp(
  `(?<!npx )(?<![\\w/.@-])${NAME}(?= (?:(?:${[...FIRST_WORDS, 'help'].join('|')})(?![\\w-])|--help|--version|COMMAND|<command>|\\[options\\]))`,
  'g',
);
