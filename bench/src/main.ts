import { openInterruption, runCommand } from './command-line.ts';
import { createProgram } from './program.ts';
import { runBenchmark } from './run-benchmark.ts';

const signal = openInterruption();
const program = createProgram((settings) =>
  runBenchmark(
    settings,
    {
      data: (text) => process.stdout.write(text),
      messages: (line) => process.stderr.write(`${line}\n`),
    },
    signal,
  ),
);
await runCommand(program);
