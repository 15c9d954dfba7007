import { WriteStream } from 'node:tty';
import { styleText } from 'node:util';

/** Whether data, and messages, are written with colours. */
export type Colours = { readonly data: boolean; readonly messages: boolean };

/** An output stream: `process.stdout` or `process.stderr`. */
type Stream = { readonly isTTY?: boolean };

/**
 * Colours are for terminals that can show them: never with NO_COLOR, always with FORCE_COLOR, and
 * otherwise as Node judges the terminal by TERM and the like.
 */
export function findColours(
  { stdout, stderr }: { readonly stdout: Stream; readonly stderr: Stream },
  environment: NodeJS.ProcessEnv,
): Colours {
  return { data: hasColours(stdout, environment), messages: hasColours(stderr, environment) };
}

function hasColours(stream: Stream, environment: NodeJS.ProcessEnv): boolean {
  if (environment['NO_COLOR']) return false;
  if (environment['FORCE_COLOR'] === undefined && stream.isTTY !== true) return false;
  return WriteStream.prototype.getColorDepth(environment) > 1;
}

export function bold(text: string): string {
  return styleText('bold', text, { validateStream: false });
}

export function red(text: string): string {
  return styleText('red', text, { validateStream: false });
}
