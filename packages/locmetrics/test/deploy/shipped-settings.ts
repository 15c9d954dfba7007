import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readRepositoryFile, readYaml } from './deploy-files.ts';

export type Environment = Readonly<Record<string, string>>;

/** The pages of the documentation and the notes beside examples, relative to the repository. */
export function listPages(): readonly string[] {
  const inFolders = ['docs', 'examples', 'ops', 'bench', 'packages/sdk', 'deploy'].flatMap(
    (folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
        .map((path) => join(folder, path)),
  );
  return ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...inFolders].sort();
}

/** The environments that the files of `deploy/` start a node with, by their name. */
export function deployedEnvironments(): ReadonlyMap<string, Environment> {
  const image = imageEnvironment();
  const kubernetes = 'deploy/kubernetes/settings.yaml';
  const systemd = 'deploy/systemd/locmetrics.env';
  return new Map([
    ['the image', image],
    ...['one-node', 'two-nodes'].flatMap((name) =>
      composeEnvironments(`deploy/docker/compose.${name}.yaml`, image),
    ),
    [kubernetes, { ...image, ...readYaml(kubernetes)[0].data }],
    [
      `${kubernetes} with its comments`,
      {
        ...image,
        LOCMETRICS_CLICKHOUSE_PASSWORD: 'filled-in',
        ...readYaml(kubernetes)[0].data,
        ...commentedOut(kubernetes, ': '),
      },
    ],
    [systemd, assignments(readRepositoryFile(systemd).split('\n'), '=')],
    [
      `${systemd} with its comments`,
      {
        ...assignments(readRepositoryFile(systemd).split('\n'), '='),
        ...commentedOut(systemd, '='),
      },
    ],
  ]);
}

function imageEnvironment(): Environment {
  const [, text = ''] = /^ENV (.+)$/m.exec(readRepositoryFile('deploy/docker/Dockerfile')) ?? [];
  return assignments(text.split(' '), '=');
}

function composeEnvironments(file: string, image: Environment): [string, Environment][] {
  const services: Readonly<Record<string, { image: string; environment?: Environment }>> =
    readYaml(file)[0].services;
  return Object.entries(services)
    .filter(([, service]) => service.image.startsWith('locmetrics:'))
    .map(([name, { environment = {} }]) => [
      `${name} of ${file}`,
      { ...image, ...withoutVariables(environment) },
    ]);
}

/** Compose replaces `${NAME:?…}` by a value of the operator, and `${NAME:-…}` by what follows if there is none. */
function withoutVariables(environment: Environment): Environment {
  const replaced = Object.entries(environment).map(([name, value]) => [
    name,
    value.replaceAll(
      /\$\{\w+(?::-([^}]*))?[^}]*\}/g,
      (_, otherwise?: string) => otherwise ?? 'filled-in',
    ),
  ]);
  return Object.fromEntries(replaced);
}

/** Settings that the operator turns on by removing the `#`; one without a value is filled in. */
function commentedOut(file: string, separator: string): Environment {
  const lines = readRepositoryFile(file)
    .split('\n')
    .flatMap((line) => /^\s*# ((?:LOCMETRICS_|PG)[A-Z_]+.*)$/.exec(line)?.[1] ?? []);
  const given = Object.entries(assignments(lines, separator));
  return Object.fromEntries(given.map(([name, value]) => [name, value || 'filled-in']));
}

function assignments(lines: readonly string[], separator: string): Environment {
  const pairs = lines.flatMap((line) => {
    const at = line.indexOf(separator);
    return at > 0 && !line.startsWith('#')
      ? [[line.slice(0, at), line.slice(at + separator.length)]]
      : [];
  });
  return Object.fromEntries(pairs);
}

export type Block = { readonly line: number; readonly language: string; readonly text: string };

/** The fenced blocks of a page. */
export function blocksOf(page: string): readonly Block[] {
  const text = readRepositoryFile(page);
  return [...text.matchAll(/^( *)```([\w-]*)\n(.*?)^\1```$/gms)].map((found) => ({
    line: text.slice(0, found.index).split('\n').length,
    language: found[2] ?? '',
    text: found[3] ?? '',
  }));
}

/** The parameters of each call of `locmetrics` in a block of shell. A namespace or a container can have this name too. */
export function callsOf({ text }: Block): readonly (readonly string[])[] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n');
  return lines.flatMap((line) => {
    const calls = line.matchAll(
      /(?:^|(?<!--[a-z]+)[\s(])(?:npx |\/usr\/local\/bin\/|\/opt\/locmetrics\/bin\/)?locmetrics (?=[a-z])/g,
    );
    return [...calls].map((found) => shellWords(line.slice(found.index + found[0].length)));
  });
}

/** The words of a shell command up to its end: quotes are removed, variables stay as they are written. */
function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (const character of text) {
    if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/[|;>&)<]/.test(character) || (character === '#' && word === undefined)) {
      break;
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = `${word ?? ''}${character}`;
  }
  return word === undefined ? words : [...words, word];
}
