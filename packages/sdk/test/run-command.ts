import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export type Ended = {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
};

/** The compiler of TypeScript, as an argument of Node. */
export const COMPILER = fileURLToPath(
  new URL('./bin/tsc', import.meta.resolve('typescript/package.json')),
);

/** Runs Node in a folder, with only these of the variables of Locmetrics. */
export async function runNode(
  args: readonly string[],
  {
    folder,
    environment = {},
  }: { readonly folder: string; readonly environment?: Readonly<Record<string, string>> },
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('LOCMETRICS_'));
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...environment },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, output, errors };
}
