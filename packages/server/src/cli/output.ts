/** The output of a command: results go to `data`, everything else to `messages`. */
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
    // A terminal of unknown width reports 0.
    columns: process.stderr.columns || 80,
  };
}

/**
 * A reader such as `head` can close its end early. The command still finishes: a publish is completed,
 * and a service keeps running.
 */
function passOverClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
