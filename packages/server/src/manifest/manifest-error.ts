/** One problem in a manifest, with its line if known. */
export type ManifestProblem = {
  readonly line?: number;
  /** The path in the manifest, for example `datasets.ml_visitation.places.fields.city.type`. */
  readonly path: string;
  readonly reason: string;
  readonly hint?: string | undefined;
};

/** A manifest that cannot be used, with all its problems. */
export class ManifestError extends Error {
  readonly file: string;
  readonly problems: readonly ManifestProblem[];

  constructor(file: string, problems: readonly ManifestProblem[]) {
    super(
      problems
        .map(({ line, path, reason, hint }) => {
          const place = line === undefined ? file : `${file}:${line}`;
          return [place, path, hint === undefined ? reason : `${reason} ${hint}`]
            .filter((part) => part !== '')
            .join(': ');
        })
        .join('\n'),
    );
    this.name = 'ManifestError';
    this.file = file;
    this.problems = problems;
  }
}
