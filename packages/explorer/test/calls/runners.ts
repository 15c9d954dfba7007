import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepGrpcurl, keepPythonClient } from '../../../locmetrics/test/tools/tools.ts';
import { installPackedClient } from '../../../sdk/test/readme-examples.ts';
import { COMPILER } from '../../../sdk/test/run-command.ts';
import type { LanguageId } from '../../src/calls/languages.ts';
import { rowsIn } from './read-answer.ts';

export type Environment = Readonly<Record<string, string>>;

/** The rows that a text printed, or why it failed. */
export type Printed = { readonly rows: readonly unknown[]; readonly error?: string | undefined };

export type Runner = (texts: readonly string[], environment: Environment) => readonly Printed[];

type Say = (line: string) => void;

const NODE_TYPES = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', '@types');

/** Runs texts of a language. It returns undefined if the language is not here; the reason is printed. */
export const OPENERS: Readonly<
  Record<LanguageId, (folder: string, say: Say) => Runner | undefined>
> = {
  curl: (_folder, say) => {
    if (spawnSync('curl', ['--version']).status === 0) return runShell('');
    say('Not tested: there is no curl here.');
    return undefined;
  },
  typescript: openNode,
  python: openPython,
  grpcurl: (_folder, say) => {
    const tools = keepGrpcurl(say);
    return tools === undefined ? undefined : runShell(tools);
  },
};

function runShell(tools: string): Runner {
  return (texts, environment) =>
    texts.map((text) => {
      const { status, stdout, stderr } = spawnSync('bash', ['-eu', '-c', text], {
        encoding: 'utf8',
        env: { ...process.env, ...environment, PATH: `${tools}:${process.env['PATH']}` },
        maxBuffer: 2 ** 28,
      });
      if (status !== 0) return { rows: [], error: `ended with ${status}\n${stdout}${stderr}` };
      const answer = JSON.parse(stdout);
      return 'detail' in answer ? { rows: [], error: stdout } : { rows: rowsIn(answer) };
    });
}

/** The texts are compiled too, for a mistake that only the types show. */
function openNode(folder: string): Runner {
  installPackedClient(folder);
  return (texts, environment) => {
    const names = writeFiles(folder, texts, 'mts');
    const compiled = spawnSync(
      process.execPath,
      [
        ...[COMPILER, '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'],
        ...['--typeRoots', NODE_TYPES, '--types', 'node', '--skipLibCheck'],
        ...names,
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    if (compiled.status !== 0) throw new Error(compiled.stdout);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'print-rows.ts'), ...names],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, ...environment },
        maxBuffer: 2 ** 28,
      },
    );
    return readLines(stdout, texts, stderr);
  };
}

function openPython(folder: string, say: Say): Runner | undefined {
  const programs = keepPythonClient('client', say);
  if (programs === undefined) return undefined;
  return (texts, environment) => {
    const output = join(folder, 'output');
    const { stderr } = spawnSync(
      join(programs, 'python'),
      [
        ...['-W', 'ignore', join(import.meta.dirname, 'print_rows.py'), output],
        ...writeFiles(folder, texts, 'py'),
      ],
      { encoding: 'utf8', env: { ...process.env, ...environment } },
    );
    return readLines(readFileSync(output, 'utf8'), texts, stderr);
  };
}

function writeFiles(folder: string, texts: readonly string[], extension: string) {
  mkdirSync(folder, { recursive: true });
  return texts.map((text, index) => {
    const path = join(folder, `call${index}.${extension}`);
    writeFileSync(path, text);
    return path;
  });
}

function readLines(lines: string, texts: readonly string[], errors: string): readonly Printed[] {
  const printed = lines.trimEnd().split('\n').filter(Boolean);
  return texts.map((_text, index) => {
    const line = printed[index];
    return line === undefined ? { rows: [], error: errors } : JSON.parse(line);
  });
}
