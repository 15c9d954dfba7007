import type { Output } from './output.ts';

/** The progress of a running import; `fraction` is 0 to 1. */
export type Progress = {
  readonly stage: string;
  readonly fraction?: number;
};

/**
 * Shows the progress of a publish: a bar that is redrawn on a terminal, and a plain line per stage
 * elsewhere.
 */
export function showPublishProgress(output: Output): {
  readonly update: (datasetName: string, progress: Progress) => void;
  readonly end: () => void;
} {
  let shown = '';
  const printed = new Set<string>();
  return {
    update: (datasetName, { stage, fraction }) => {
      if (output.isTerminal) {
        const line = terminalLine(datasetName, stage, fraction, output.columns);
        if (line === shown) return;
        shown = line;
        output.messages(`\r\u001b[2K${line}`);
      } else if (!printed.has(`${datasetName}: ${stage}`)) {
        printed.add(`${datasetName}: ${stage}`);
        output.messages(`${datasetName}: ${stage}\n`);
      }
    },
    end: () => {
      if (output.isTerminal && shown !== '') output.messages('\r\u001b[2K');
      shown = '';
    },
  };
}

const BAR_COLUMNS = 20;

function terminalLine(
  datasetName: string,
  stage: string,
  fraction: number | undefined,
  columns: number,
): string {
  const known = fraction === undefined ? undefined : Math.min(1, Math.max(0, fraction));
  const filled = Math.round((known ?? 0) * BAR_COLUMNS);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_COLUMNS - filled);
  const percent = known === undefined ? '' : ` ${Math.round(known * 100)} %`;
  return `${bar} ${datasetName}: ${stage}${percent}`.slice(0, columns - 1);
}
