import type { Download, StreamFormat } from '@locmetrics/client';
import { useEffect, useRef, useState } from 'react';
import { chooseFileTarget, type FileTarget } from '../../ui/file-target.ts';
import { SAVE_FORMATS } from './save-formats.ts';
import { type Progress, saveResult } from './save-result.ts';

/** Where the saving of a result is. Before it starts: `idle`. */
export type SavingState =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running' | 'saved' | 'cancelled';
      readonly name: string;
      readonly progress: Progress;
    }
  | { readonly kind: 'failed'; readonly error: unknown; readonly progress: Progress };

export type Saving = {
  readonly state: SavingState;
  /** Must be called while a press is handled: only then does a browser ask for the place of a file. */
  readonly start: (what: {
    readonly format: StreamFormat;
    /** Of the file, without its end. */
    readonly name: string;
    readonly totalRows: number;
    readonly download: (signal: AbortSignal) => Promise<Download>;
  }) => Promise<void>;
  readonly cancel: () => void;
  /** Back to the start. */
  readonly reset: () => void;
};

/** How often the progress is drawn. */
const DRAW_MS = 200;

/** Saves a whole result. The request is cancelled when the component goes away. */
export function useSaving(): Saving {
  const [state, setState] = useState<SavingState>({ kind: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const isRunning = state.kind === 'running';
  useEffect(() => {
    if (!isRunning) return;
    // The browser asks before it closes the tab.
    const keep = (event: Event): void => event.preventDefault();
    addEventListener('beforeunload', keep);
    return () => removeEventListener('beforeunload', keep);
  }, [isRunning]);

  return {
    state,
    async start({ format, name: given, totalRows, download }) {
      const { mediaType: type, countRows } = SAVE_FORMATS[format];
      let progress: Progress = { rows: countRows && 0, totalRows, bytes: 0, startMs: undefined };
      let target: FileTarget | undefined;
      try {
        const name = `${given}.${format}`;
        target = await chooseFileTarget({ name, extension: format, type });
      } catch (error) {
        setState({ kind: 'failed', error, progress });
      }
      if (target === undefined) return;
      const { name } = target;
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      const draw = (): void => setState({ kind: 'running', name, progress });
      draw();
      const drawing = setInterval(draw, DRAW_MS);
      try {
        await saveResult({
          download: () => download(signal),
          target,
          counter: countRows?.(),
          totalRows,
          signal,
          onProgress: (next) => {
            progress = next;
          },
        });
        setState({ kind: 'saved', name, progress });
      } catch (error) {
        setState(
          signal.aborted
            ? { kind: 'cancelled', name, progress }
            : { kind: 'failed', error, progress },
        );
      } finally {
        clearInterval(drawing);
      }
    },
    cancel: () => running.current?.abort(),
    reset: () => setState({ kind: 'idle' }),
  };
}
