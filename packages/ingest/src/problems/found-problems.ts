import type { RejectedRows } from '@locmetrics/data-directory/versions/publish-report';
import {
  ImportError,
  PROBLEMS_MAX,
  type ProblemCount,
  problemText,
  type RowProblem,
} from './import-error.ts';

/** The problems found by one check: examples in file order, and the count of each reason. */
export type FoundProblems = {
  readonly examples: readonly Example[];
  readonly counts: readonly ProblemCount[];
  readonly countsAreLowerBounds?: boolean;
  /** Whether the whole file is wrong and not only some rows, so that no rows can be left out. */
  readonly isOfFile?: boolean;
};

/** An example with its place for sorting: the number of its file, and a position in it. */
export type Example = {
  readonly problem: RowProblem;
  /** The reason under which it is counted, if its own reason is more specific. */
  readonly countedReason: string;
  readonly fileNumber: number;
  readonly position: number;
};

/** A problem of a whole file, or a problem of which only the place is known. */
export function foundProblem(
  fileNumber: number,
  problem: RowProblem,
  position = problem.line ?? 0,
): FoundProblems {
  const { field, reason } = problem;
  return {
    examples: [{ problem, countedReason: reason, fileNumber, position }],
    counts: [{ field, reason, count: 1 }],
  };
}

/** The same, of a file that is read. */
export function fileProblem(
  { number, label }: { readonly number: number; readonly label: string },
  problem: Omit<RowProblem, 'file'>,
): FoundProblems {
  return foundProblem(number, { file: label, ...problem });
}

/**
 * The error with all findings, or undefined if there are none.
 *
 * Up to twenty problems are all listed, so that an owner can fix them at once. Of more, two examples of each reason
 * are listed with the number of the others: twenty lines of the same reason would hide the other reasons.
 */
export function toImportError(
  dataset: string,
  found: readonly FoundProblems[],
  {
    rejection,
    hint,
  }: Pick<ConstructorParameters<typeof ImportError>[0], 'rejection' | 'hint'> = {},
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
    hint,
  });
}

/** The problems in the form of a report: each reason with its examples. */
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

/** The examples of each reason if there are too many problems to list all. */
const EXAMPLES_OF_REASON = 2;

/**
 * The first examples of each kind, then the others in file order while there is room. So a column that is wrong
 * in every row does not hide another that is wrong once.
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
