import type { RejectedRows } from '../catalog/publish-report.ts';
import {
  ImportError,
  PROBLEMS_MAX,
  type ProblemCount,
  problemText,
  type RowProblem,
} from './import-error.ts';

/** The problems that one check found: examples in file order, and the count of each reason. */
export type FoundProblems = {
  readonly examples: readonly Example[];
  readonly counts: readonly ProblemCount[];
  readonly countsAreLowerBounds?: boolean;
  /** Whether a file is wrong and not only rows of it, so that none can be left out. */
  readonly isOfFile?: boolean;
};

/** An example with where it stands for sorting: the number of its file, and a position in it. */
export type Example = {
  readonly problem: RowProblem;
  /** The reason under which it is counted, where its own says more. */
  readonly countedReason: string;
  readonly fileNumber: number;
  readonly position: number;
};

/** A problem of a whole file, or one whose place is all that is known. */
export function foundProblem(
  fileNumber: number,
  problem: RowProblem,
  position = problem.line ?? 0,
): FoundProblems {
  const { field, reason } = problem;
  return {
    examples: [{ problem, countedReason: reason, fileNumber, position }],
    counts: [{ ...(field === undefined ? {} : { field }), reason, count: 1 }],
  };
}

/** The error for everything that was found, or undefined when that is nothing. */
export function toImportError(
  dataset: string,
  found: readonly FoundProblems[],
  rejection?: string,
): ImportError | undefined {
  const counts = sumCounts(found.flatMap((part) => part.counts));
  if (counts.length === 0) return undefined;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const examples = chooseExamples(found, total > PROBLEMS_MAX ? EXAMPLES_OF_REASON : PROBLEMS_MAX);
  const shown = Map.groupBy(examples, ({ problem, countedReason }) =>
    kindOf(problem.field, countedReason),
  );
  return new ImportError({
    dataset,
    problems: examples.map(({ problem }) => problem),
    counts: counts.map((count) => ({
      ...count,
      shown: shown.get(kindOf(count.field, count.reason))?.length ?? 0,
    })),
    totalIsLowerBound: found.some((part) => part.countsAreLowerBounds === true),
    rejection,
  });
}

/** The problems as a report lists them, each reason with its examples. */
export function toRejectedRows(found: readonly FoundProblems[]): readonly RejectedRows[] {
  const examples = chooseExamples(found, PROBLEMS_MAX);
  return sumCounts(found.flatMap((part) => part.counts)).map(({ field, reason, count }) => ({
    field: field ?? null,
    reason,
    count,
    examples: examples
      .filter(({ problem, countedReason }) => {
        return kindOf(problem.field, countedReason) === kindOf(field, reason);
      })
      .map(({ problem }) => problemText(problem)),
  }));
}

function sumCounts(counts: readonly ProblemCount[]): readonly ProblemCount[] {
  const sums = new Map<string, ProblemCount>();
  for (const part of counts) {
    const kind = kindOf(part.field, part.reason);
    const count = part.count + (sums.get(kind)?.count ?? 0);
    if (count > 0) sums.set(kind, { ...part, count });
  }
  return [...sums.values()];
}

function kindOf(field: string | undefined, reason: string): string {
  return JSON.stringify([field ?? null, reason]);
}

/** Enough to see what a reason is about, if there are too many problems to list all. */
const EXAMPLES_OF_REASON = 2;

/**
 * The first examples of each kind, then the others in file order while there is room: a column that
 * is wrong in every row does not hide that another is wrong once.
 */
function chooseExamples(found: readonly FoundProblems[], mostOfKind: number): readonly Example[] {
  const examples = found.flatMap((part) => part.examples);
  const inOrder = examples.toSorted(
    (left, right) => left.fileNumber - right.fileNumber || left.position - right.position,
  );
  const counts = new Map<string, number>();
  const firsts: Example[] = [];
  const others: Example[] = [];
  for (const example of inOrder) {
    const kind = kindOf(example.problem.field, example.countedReason);
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    if (count === 0) firsts.push(example);
    else if (count < mostOfKind) others.push(example);
  }
  const chosen = new Set([...firsts, ...others].slice(0, PROBLEMS_MAX));
  return inOrder.filter((example) => chosen.has(example));
}
