import type { DeclaredDataset } from './manifest.ts';

/** One problem in a manifest, with its line and its column, both from 1, if known. */
export type ManifestProblem = {
  readonly line?: number;
  readonly column?: number;
  /** The path in the manifest, for example `datasets.ml_visitation.places.fields.city.type`. */
  readonly path: string;
  readonly reason: string;
  readonly hint?: string | undefined;
};

/** A manifest that cannot be used, with all its problems. */
export class ManifestError extends Error {
  readonly file: string;
  readonly problems: readonly ManifestProblem[];
  /** The datasets that are right in themselves, without layers and metrics: their files can be checked. */
  readonly sound: readonly DeclaredDataset[];

  constructor(
    file: string,
    problems: readonly ManifestProblem[],
    sound: readonly DeclaredDataset[] = [],
  ) {
    super(
      problems.map(({ column: _, ...problem }) => manifestProblemText(file, problem)).join('\n'),
    );
    this.name = 'ManifestError';
    this.file = file;
    this.problems = problems;
    this.sound = sound;
  }
}

/** A problem in one line, with its place. */
export function manifestProblemText(
  file: string,
  { line, column, path, reason, hint }: ManifestProblem,
): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return [place, path, hint === undefined ? reason : `${reason} ${hint}`]
    .filter((part) => part !== '')
    .join(': ');
}
