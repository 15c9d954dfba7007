import { CommanderError } from 'commander';
import { createProgram } from './program.ts';
import { runBenchmark } from './run-benchmark.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupted.abort(new Error('Stopped before the end.')));
}
const program = createProgram((settings) =>
  runBenchmark(
    settings,
    {
      data: (text) => process.stdout.write(text),
      messages: (line) => process.stderr.write(`${line}\n`),
    },
    interrupted.signal,
  ),
);
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
