import { ServiceError } from '@locmetrics/client';

/** Why the service refused parts of a selection, each with what to do. */
export type SelectionProblem = {
  /** By the place of the filter. */
  readonly filters: ReadonlyMap<number, string>;
  readonly box: string | undefined;
};

/** The parts of a selection that an error is about. Undefined: it is about something else too. */
export function selectionProblem(error: unknown): SelectionProblem | undefined {
  if (!(error instanceof ServiceError) || error.errors.length === 0) return undefined;
  const filters = new Map<number, string>();
  let box: string | undefined;
  for (const { pointer, detail } of error.errors) {
    const text = [detail, error.hint].filter(Boolean).join(' ');
    const [, index] = /^\/filters\/(\d+)/.exec(pointer) ?? [];
    if (index !== undefined) filters.set(Number(index), text);
    else if (pointer.startsWith('/options/boundingBox')) box = text;
    else return undefined;
  }
  return { filters, box };
}
