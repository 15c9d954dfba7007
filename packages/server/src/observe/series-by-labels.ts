export type Labels = Readonly<Record<string, string>>;

/** What is counted of a metric for each combination of values of its labels. */
export type SeriesByLabels<Series> = {
  /** Starts the series of these values with their first use. */
  readonly find: (labels: Labels) => Series;
  /** In the order of their first use. */
  readonly all: readonly Series[];
};

/** A map for each label finds a series in a third of the time that a key joined from the labels needs. */
export function openSeriesByLabels<Series>(
  labelNames: readonly string[],
  start: (labels: Labels) => Series,
): SeriesByLabels<Series> {
  const root: Branch<Series> = { series: undefined, branches: new Map() };
  const all: Series[] = [];
  return {
    find: (labels) => {
      let branch = root;
      for (const name of labelNames) branch = branchAt(branch, labels[name] ?? '');
      if (branch.series === undefined) {
        branch.series = start(labels);
        all.push(branch.series);
      }
      return branch.series;
    },
    all,
  };
}

type Branch<Series> = {
  series: Series | undefined;
  readonly branches: Map<string, Branch<Series>>;
};

function branchAt<Series>({ branches }: Branch<Series>, value: string): Branch<Series> {
  let branch = branches.get(value);
  if (branch === undefined) {
    branch = { series: undefined, branches: new Map() };
    branches.set(value, branch);
  }
  return branch;
}
