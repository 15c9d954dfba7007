/** The days of an observation, both included, as `YYYY-MM-DD`. */
export type Period = { readonly start: string; readonly end: string };

/** A span of days that may be open at one side or both. */
export type PeriodFilter = { readonly start?: string; readonly end?: string };
