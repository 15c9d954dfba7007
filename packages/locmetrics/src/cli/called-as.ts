import { basename, relative } from 'node:path';

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
  if (/[\\/]node_modules[\\/]\.bin[\\/][^\\/]+$/.test(path)) {
    // npx installs a package that the folder does not have in a cache of its own. Without the same --package, it would
    // look for it in the registry.
    const asked = environment['npm_config_package'] ?? '';
    const isAsked = asked !== '' && !asked.includes('\n') && /[\\/]_npx[\\/]/.test(path);
    return isAsked ? `npx --package ${asked} ${NAME}` : `npx ${NAME}`;
  }
  if (basename(path) !== SCRIPT) return NAME;
  // A script of package.json, such as `npm start`: its reader knows npm, and not the path of the script.
  const event = environment['npm_lifecycle_event'];
  if (event === 'start') return `npx ${NAME}`;
  const shorter = relative(directory, path);
  return `node ${shorter.startsWith('..') ? path : shorter}`;
}

const NAME = 'locmetrics';
const SCRIPT = 'locmetrics.js';

/** Writes the commands in a text as the reader calls them. Other uses of the name stay as they are. */
export function writerAsCalled(
  called: string,
  commands: readonly string[],
): (text: string) => string {
  if (called === NAME) return (text) => text;
  // The name before a command, a flag or a placeholder of these; not in a path or in a command line with npx.
  const command = new RegExp(
    `(?<!npx )(?<![\\w/.@-])${NAME}(?= (?:(?:${[...commands, 'help'].join('|')})(?![\\w-])|--help|--version|COMMAND|<command>|\\[options\\]))`,
    'g',
  );
  return (text) => text.replaceAll(command, () => called);
}
