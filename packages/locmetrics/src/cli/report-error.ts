import { CommanderError } from 'commander';
import { addressText } from '../config/listen-address.ts';
import { type Colours, red } from './colours.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { InterruptedError } from './interrupted-error.ts';
import type { Output } from './output.ts';

/** Prints what went wrong and what to do; returns the exit code. */
export function reportError(error: unknown, output: Output, colours: Colours): number {
  // Commander has printed its message already.
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
  }
  if (!(error instanceof Error)) throw error;
  const { message, hint } = describe(error);
  // The first line says what happened; a long list in red would be hard to read.
  output.messages(`${colours.messages ? message.replace(/^.*/, red) : message}\n`);
  if (hint !== undefined) output.messages(`${hint}\n`);
  if (error.name === 'ConfigError') return EXIT_CODES.usage;
  if (!(error instanceof InterruptedError)) return EXIT_CODES.failed;
  return error.signal === 'SIGINT' ? EXIT_CODES.interrupted : EXIT_CODES.terminated;
}

type Told = { readonly message: string; readonly hint: string | undefined };

function describe(error: Error): Told {
  const { message } = error;
  if (EXPECTED_ERRORS.has(error.name)) {
    const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
    const end = error.name === 'ImportError' ? NOTHING_PUBLISHED : undefined;
    return {
      message,
      hint: [hint, end].filter((one) => one !== undefined).join('\n') || undefined,
    };
  }
  if (!('syscall' in error && 'code' in error)) {
    return { message: error.stack ?? message, hint: undefined };
  }
  return 'flag' in error
    ? { message: `${error.flag}: ${message}`, hint: listeningHint(error) }
    : { message, hint: FILE_HINTS.get(String(error.code)) ?? 'The operating system refused it.' };
}

/** Errors with a complete message. Any other error is a bug, and its stack is printed. */
const EXPECTED_ERRORS: ReadonlySet<string> = new Set([
  'CertificateError',
  'ConfigError',
  'ControlError',
  'DataDirectoryError',
  'DatabaseError',
  'ImportError',
  'InterruptedError',
  'ManifestError',
  'PublishError',
  'RefusedCheck',
  'ServiceError',
]);

const NOTHING_PUBLISHED = 'Nothing was published. The current versions are unchanged.';

/** The hint for an address that cannot be bound; `flag` is the flag that names it. */
function listeningHint(
  error: Error & { readonly flag?: unknown; readonly code?: unknown },
): string {
  const port = 'port' in error ? Number(error.port) : 0;
  const host =
    'address' in error && error.code === 'EADDRINUSE' ? String(error.address) : '127.0.0.1';
  const nextPort = port >= 1024 && port < 65_535 ? port + 1 : 8080;
  const other = `Choose another address, such as ${error.flag} ${addressText({ host, port: nextPort })}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Another program already listens on this address. ${other}, or port 0 for a free one.`;
    case 'EADDRNOTAVAIL':
      return `This machine does not have this address. ${other}.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `This host name cannot be resolved. ${other}.`;
    case 'EACCES':
      return `You do not have the right to listen on this port. ${other}.`;
    default:
      return `The operating system refused it. ${other}.`;
  }
}

const OTHER_DIRECTORY = 'choose another directory: --data DIRECTORY';

/** Hints for file errors of the operating system, by their code. */
const FILE_HINTS: ReadonlyMap<string, string> = new Map([
  ['EACCES', `You do not have the permission. Ask for it, or ${OTHER_DIRECTORY}.`],
  ['EPERM', `You do not have the permission. Ask for it, or ${OTHER_DIRECTORY}.`],
  ['EROFS', `The file system is read-only. Please ${OTHER_DIRECTORY}.`],
  ['EEXIST', 'A file exists in place of a directory. Choose another directory: --data DIRECTORY.'],
  ['ENOTDIR', 'A file exists in place of a directory. Choose another directory: --data DIRECTORY.'],
  ['ENAMETOOLONG', `The path is longer than the file system allows. Please ${OTHER_DIRECTORY}.`],
  ['ENOSPC', `The disk is full. Free some space, or ${OTHER_DIRECTORY}.`],
  ['EDQUOT', `Your disk quota is used up. Free some space, or ${OTHER_DIRECTORY}.`],
  ['EMFILE', 'Too many files are open. Raise the limit with ulimit -n.'],
]);
