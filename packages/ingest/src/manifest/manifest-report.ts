import type { Boundaries } from './point-source.ts';

/** Reports a problem of one part of a manifest. */
export type Report = {
  (reason: string, hint?: string): void;
  /** Reports the problems of a part below, by its keys. */
  readonly at: (...keys: readonly string[]) => Report;
};

/** Adds a problem with the keys of its path. */
type AddProblem = (keys: readonly string[], reason: string, hint?: string) => void;

/** Reports the problems of the whole manifest, or of the part with these keys. */
export function reportTo(add: AddProblem, keys: readonly string[] = []): Report {
  return Object.assign((reason: string, hint?: string) => add(keys, reason, hint), {
    at: (...below: readonly string[]) => reportTo(add, [...keys, ...below]),
  });
}

/** The context that the readers of all parts of a manifest share. */
export type ReadContext = {
  /** The boundaries that the manifest may name. */
  readonly areas: ReadonlyMap<string, Boundaries>;
  readonly report: Report;
};
