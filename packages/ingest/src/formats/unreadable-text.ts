import type { RowProblem } from '../problems/import-error.ts';

/** A file whose bytes cannot become text as the manifest declares it. */
export class UnreadableText extends Error {
  readonly problem: Pick<RowProblem, 'line' | 'row' | 'feature' | 'value' | 'reason' | 'hint'>;

  constructor(problem: UnreadableText['problem']) {
    super(problem.reason);
    this.name = 'UnreadableText';
    this.problem = problem;
  }
}

/** Texts that are not in the encoding of the file, or in none that is known. */
export class UnreadableEncoding extends UnreadableText {}

/** Points in a coordinate system that neither the file nor the manifest names. */
export class UnreadableSystem extends UnreadableText {}

export function brokenShapefile(why: string, feature?: number): UnreadableText {
  return new UnreadableText({
    feature,
    reason: `is not a complete shapefile: ${why}`,
    hint: 'It was cut short or damaged: download or write it again.',
  });
}
