import { main } from '../../src/main.ts';
import type { CommandResult } from './run-command.ts';

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `locmetrics` in this process, which is faster than starting another one. The process has only one
 * working directory and environment, so one command runs at a time.
 */
export function runInProcess(
  parameters: readonly string[],
  surroundings: {
    readonly directory: string | undefined;
    readonly environment: NodeJS.ProcessEnv;
  },
): Promise<CommandResult> {
  const result = last.then(() => run(parameters, surroundings));
  last = result.catch(() => {});
  return result;
}

async function run(
  parameters: readonly string[],
  { directory, environment }: Parameters<typeof runInProcess>[1],
): Promise<CommandResult> {
  const before = { directory: process.cwd(), environment: process.env };
  let data = '';
  let messages = '';
  if (directory !== undefined) process.chdir(directory);
  process.env = environment;
  try {
    const code = await main(parameters, {
      output: {
        data: (text) => {
          data += text;
        },
        messages: (text) => {
          messages += text;
        },
        isTerminal: false,
        columns: 80,
      },
      colours: { data: false, messages: false },
    });
    return { code, data, messages };
  } finally {
    process.env = before.environment;
    process.chdir(before.directory);
  }
}
