import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import type { UsedRows } from './usage-query.ts';

/** The amounts that a machine holds of an organisation, and asks for. All but the returned requests are totals. */
export type LimitDraw = { readonly [Limit in keyof OrganisationLimits]?: number | undefined } & {
  readonly organisation: string;
  /** Grows with each statement of a machine about an organisation. */
  readonly draw: number;
  readonly heldRequests: number;
  readonly returnedRequests: number;
  /** Those of the asked requests that are used at once. */
  readonly awaitedRequests: number;
  /** Asked as far as there are any. */
  readonly requests: number;
  /** Asked as far as they are a small share of what is left. */
  readonly moreRequests: number;
  /** The most that the bucket can hold, as far as this machine knows after the database was away. */
  readonly requestsMax?: number | undefined;
  /** The number of the count that the rows belong to; undefined for a day that started while the database was away. */
  readonly number?: number | undefined;
  readonly day?: number | undefined;
  /** The rows of this count that the machine has used or holds. */
  readonly usedRows: number;
  readonly heldRows: number;
  /** Asked as far as at least `leastRows` are left. */
  readonly rows: number;
  readonly leastRows: number;
  readonly moreRows: number;
  /** Slots in use, and those that it holds or asks for. */
  readonly usedSlots: number;
  readonly slots: number;
  readonly moreSlots: number;
  /** The usage so far, with which the day starts. */
  readonly used?: UsedRows | undefined;
};

/** The answer: what is given, and what is left for all machines. */
export type DrawnLimits = {
  readonly nodes: number;
  readonly requests: number;
  readonly leftRequests?: number | null;
  /** `begin`: the usage so far must be read, by this machine; `wait`: another one reads it. */
  readonly counting?: 'counted' | 'begin' | 'wait' | null;
  readonly number?: number | undefined;
  readonly day: number;
  readonly rows: number;
  /** Null without a limit. */
  readonly leftOfDay?: number | null;
  readonly leftOfMonth?: number | null;
  /** All slots that the machine holds now. */
  readonly slots: number;
  readonly leftSlots: number;
};
