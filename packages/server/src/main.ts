import { CommanderError } from 'commander';
import { type Output, processOutput } from './cli/output.ts';
import { createProgram, EXIT_CODES, exitCodeOf } from './cli/program.ts';
import { readPackageVersion } from './commands/package-version.ts';

/**
 * The composition root. What a command needs is loaded when it runs, so that `--help` and a
 * mistyped command answer at once.
 */
export async function main(parameters: readonly string[]): Promise<void> {
  const output = processOutput();
  const version = readPackageVersion();
  const organisations = async () =>
    (await import('./commands/organisations.ts')).organisationActions(output);
  const tokens = async () => (await import('./commands/tokens.ts')).tokenActions(output);
  const program = createProgram(version, {
    printConfig: async (...given) =>
      (await import('./commands/config.ts')).configAction(output).printConfig(...given),
    demo: async (...given) =>
      (await import('./commands/demo.ts')).demoAction(output).demo(...given),
    serve: async (...given) => (await import('./commands/serve.ts')).serveAction().serve(...given),
    publish: async (...given) =>
      (await import('./commands/publish.ts')).publishAction(output).publish(...given),
    createOrganisation: async (...given) => (await organisations()).createOrganisation(...given),
    listOrganisations: async (...given) => (await organisations()).listOrganisations(...given),
    createToken: async (...given) => (await tokens()).createToken(...given),
    listTokens: async (...given) => (await tokens()).listTokens(...given),
    revokeToken: async (...given) => (await tokens()).revokeToken(...given),
  });
  try {
    await program.parseAsync([...parameters], { from: 'user' });
  } catch (error) {
    process.exitCode = report(error, output);
  }
}

/** Tells what went wrong and what to do; returns the exit code. */
function report(error: unknown, output: Output): number {
  if (error instanceof CommanderError) return exitCodeOf(error);
  if (!(error instanceof Error)) throw error;
  if (isExpected(error)) {
    const hint = 'hint' in error && typeof error.hint === 'string' ? `\n${error.hint}` : '';
    output.messages(`${error.message}${hint}\n`);
    if (error.name === 'ImportError') {
      output.messages('Nothing was published: what is served stays as it was.\n');
    }
  } else if (error.name === 'AbortError') {
    output.messages('Stopped before the end: nothing was changed.\n');
  } else if ('syscall' in error && 'code' in error) {
    const flag = 'flag' in error ? String(error.flag) : '--http';
    const hint =
      SYSTEM_HINTS.get(String(error.code))?.replaceAll('ADDRESS', EXAMPLES.get(flag) ?? '') ??
      'The system refused it; the line above says what.';
    output.messages(`${error.message}\n${hint}\n`);
  } else {
    output.messages(`${error.stack ?? error.message}\n`);
  }
  return error.name === 'ConfigError' ? EXIT_CODES.usage : EXIT_CODES.failed;
}

/** An address to choose instead, by the flag that names the one in use (see `listen-at.ts`). */
const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['--http', '--http 127.0.0.1:8081'],
  ['--grpc', '--grpc 127.0.0.1:8444'],
  ['--grpc-plaintext', '--grpc-plaintext 127.0.0.1:9090'],
]);

/** What to do about an error of the system, by its code. */
const SYSTEM_HINTS: ReadonlyMap<string, string> = new Map([
  [
    'EADDRINUSE',
    'Another program listens there. Choose another address: ADDRESS, or port 0 for a free one.',
  ],
  ['EADDRNOTAVAIL', 'This machine does not have that address. Choose another: ADDRESS.'],
  ['ENOTFOUND', 'No machine has that name. Choose another address: ADDRESS.'],
  ['EACCES', 'You may not do that. Choose a port from 1024, or a directory that you may write to.'],
  ['EEXIST', 'A file is in the way of a directory. Choose another one: --data DIRECTORY.'],
  ['ENOTDIR', 'A file is in the way of a directory. Choose another one: --data DIRECTORY.'],
  ['ENOSPC', 'The disk is full. Make room, or choose another directory: --data DIRECTORY.'],
]);

/** Errors that say all there is to say; another one is a bug, whose stack is shown. */
function isExpected(error: Error): boolean {
  return EXPECTED_ERRORS.has(error.name);
}

const EXPECTED_ERRORS: ReadonlySet<string> = new Set([
  'ConfigError',
  'ControlError',
  'ImportError',
  'ManifestError',
  'PublishError',
]);
