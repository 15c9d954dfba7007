import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('./second-process.ts', import.meta.url));

/** Runs one operation of the store in a separate process. Returns its output, parsed. */
export async function runSecondProcess(
  path: string,
  operation:
    | 'secret'
    | 'revokeToken'
    | 'findCaller'
    | 'createToken'
    | 'holdUntilGone'
    | 'addGrant'
    | 'setLimits'
    | 'suspendOrganisation'
    | 'resumeOrganisation',
  argument: string,
  /** Of a shared store. */
  url = '',
): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    SCRIPT,
    path,
    operation,
    argument,
    url,
  ]);
  return JSON.parse(stdout);
}
