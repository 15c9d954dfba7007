import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./recording-process.ts', import.meta.url));

export type Recording = {
  readonly begun: Promise<unknown>;
  readonly stop: () => Promise<unknown>;
  readonly kill: () => Promise<unknown>;
  /** The ids that were recorded, and those that may have been when it was killed. */
  readonly ids: () => { readonly recorded: readonly string[]; readonly unsure: readonly string[] };
};

/** Records usage in a separate process until it is stopped or killed. */
export function startRecordingProcess(segments: string, name: string): Recording {
  const child = spawn(process.execPath, [SCRIPT, segments, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const last = (word: string): number =>
    Number([...printed.matchAll(new RegExp(`${word} (\\d+)\\n`, 'g'))].at(-1)?.[1] ?? 0);
  return {
    begun: once(child.stdout, 'data'),
    stop: () => {
      child.stdin.end();
      return ended;
    },
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
    ids: () => {
      const idsOf = (begin: number, end: number) =>
        Array.from({ length: end - begin }, (_, index) => `${name}-${begin + index}`);
      return {
        recorded: idsOf(0, last('recorded')),
        unsure: idsOf(last('recorded'), last('begun')),
      };
    },
  };
}
