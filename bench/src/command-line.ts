import { type Command, CommanderError, InvalidArgumentError } from 'commander';

/** A signal that is aborted when the run is to stop. */
export function openInterruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => interrupted.abort(new Error('Stopped before the end.')));
  }
  return interrupted.signal;
}

/** Runs the command with the parameters of the process. Wrong usage ends with 2, an error with 1. */
export async function runCommand(program: Command): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  }
}

/** Reads a whole number, in which digits can be grouped by `_` or a comma. */
export function readCount(min: number, max: number): (text: string) => number {
  return (text) => {
    const count = Number(text.replaceAll(/[_,]/g, ''));
    if (!Number.isInteger(count) || count < min || count > max) {
      throw new InvalidArgumentError(`It is a whole number from ${min} to ${max}.`);
    }
    return count;
  };
}
