import type { Call } from './call.ts';

/** A call that a page offers to start with. */
export type ReadyCall = {
  /** The heading: a noun for its result. */
  readonly title: string;
  /** Why it asks like that, as sentences. */
  readonly about: string;
  readonly call: Call;
};

/** Over what the values of a measure can be added up, as the service publishes it. */
export type Additive = 'all' | 'periods' | 'places' | 'none';

/** The consequences for a call that aggregates a measure. */
export const ABOUT_ADDITIVE: Readonly<Record<Additive, string>> = {
  all: 'The values can be added up over periods and places.',
  periods: 'The values can be added up over periods, but not over places: each place is a group.',
  places: 'The values can be added up over places, but not over periods: each period is a group.',
  none: 'The values cannot be added up, so the call asks for their median.',
};

/** Groups of a page that is easy to read. */
export const READY_PAGE_SIZE = 100;
