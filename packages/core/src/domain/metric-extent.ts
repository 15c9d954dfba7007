/** The values of a metric that pass its default filters: their days `YYYY-MM-DD`, null without values, and number. */
export type MetricExtent = {
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly count: number;
  /** Whether every record of the version is such a value. */
  readonly isWhole: boolean;
};
