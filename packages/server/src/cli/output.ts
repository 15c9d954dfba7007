/** Where a command writes: data to `data`, everything else to `messages`. */
export type Output = {
  readonly data: (text: string) => void;
  readonly messages: (text: string) => void;
  /** Whether messages go to a terminal, where a line can be overwritten. */
  readonly isTerminal: boolean;
  /** Width of the terminal in columns. */
  readonly columns: number;
};

export function processOutput(): Output {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', passOverClosedPipe);
  return {
    data: (text) => process.stdout.write(text),
    messages: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    // A terminal that does not know its width says 0.
    columns: process.stderr.columns || 80,
  };
}

/**
 * A reader that has enough, such as `head`, closes its end. What was asked for is done to its end all
 * the same: a publish is not left half-way, and a service goes on.
 */
function passOverClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
