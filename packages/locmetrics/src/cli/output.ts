/** The output of a command: results go to `data`, everything else to `messages`. */
export type Output = {
  readonly data: (text: string) => void;
  readonly messages: (text: string) => void;
  /** Whether messages go to a terminal, where a line can be overwritten. */
  readonly isTerminal: boolean;
  /** Width of the terminal in columns. */
  readonly columns: number;
  /** Whether the process does nothing but this command, so that it may limit itself. */
  readonly isOwnProcess?: boolean;
};

export function processOutput(): Output {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', passOverClosedPipe);
  return {
    data: (text) => process.stdout.write(text),
    messages: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    // A terminal of unknown width reports 0.
    columns: process.stderr.columns || 80,
    isOwnProcess: true,
  };
}

/**
 * A reader such as `head` can close its end early. The command still finishes: a publish is completed,
 * and a service keeps running.
 */
function passOverClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Prints a list as JSON or as a table; without rows, a message says what to do. */
export function printList(
  output: Output,
  list: {
    readonly json: boolean | undefined;
    /** The list as JSON. */
    readonly answer: object;
    readonly none: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  },
): void {
  if (list.json) output.data(jsonLine(list.answer));
  else if (list.rows.length === 0) output.messages(`${list.none}\n`);
  else output.data(formatTable(list.columns, list.rows));
}

export function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** A table as text: a row of column names, then the rows, in columns two spaces apart. */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, index) =>
    Math.max(...all.map((row) => [...(row[index] ?? '')].length)),
  );
  return all
    .map((row) =>
      row
        .map((cell, index) => `${cell}${' '.repeat((widths[index] ?? 0) - [...cell].length)}`)
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
