import type { OrganisationLimits } from '@locmetrics/core/domain/rights';

/** The connection to the authority, which knows the usage of all processes; messages are sent as JSON. */
export type LimitLine = {
  readonly ask: (question: LimitQuestion) => Promise<LimitAnswer>;
  readonly giveBack: (notice: LimitReturn) => void;
  /** Sets what answers when another process needs the free slots of an organisation that this one leases. */
  readonly onRecall: (recall: RecallPlaces) => void;
};

export type RecallPlaces = (organisationId: string) => LimitReturn | Promise<LimitReturn>;

/** The needs of one request or answer of a process; all of them are given, or none. */
export type LimitQuestion = {
  readonly organisationId: string;
  /** As the process knows them; the authority uses the latest ones. */
  readonly limits: OrganisationLimits;
  readonly requests: number;
  readonly rows: number;
  readonly places: number;
  /** The size of the leases that it asks for, so that later requests need no question. */
  readonly moreRequests: number;
  readonly moreRows: number;
  readonly morePlaces: number;
  readonly returned: LimitReturn;
};

/** How a process used its leases and slots. */
export type LimitReturn = {
  readonly organisationId: string;
  readonly usedRequests: number;
  readonly unusedRequests: number;
  readonly usedRows: number;
  readonly unusedRows: number;
  /** Rows that were charged for an answer that was not sent after all. */
  readonly refundedRows: number;
  /** Slots that are no longer used or leased. */
  readonly places: number;
  /** The day (UTC, since 1970) that the rows were given for. */
  readonly day: number;
};

export type LimitAnswer =
  /** The needs are given; the numbers are the leases on top. */
  | {
      readonly kind: 'given';
      readonly requests: number;
      readonly rows: number;
      readonly places: number;
      readonly standing: LimitStanding;
    }
  | {
      readonly kind: 'exceeded';
      readonly limit: LimitName;
      /** How long to wait until it may be enough. */
      readonly waitMs: number;
      readonly standing: LimitStanding;
    }
  /** The usage so far is unknown. */
  | { readonly kind: 'unknown' };

export type LimitName = keyof Omit<OrganisationLimits, 'burst' | 'viewedRowsPerDay'>;

/** The remainders for all processes, without their leases; absent for a kind without a limit. */
export type LimitStanding = {
  /** With the fraction of the next request. */
  readonly requests?: number | undefined;
  readonly places?: number | undefined;
  readonly rowsOfDay?: number | undefined;
  readonly rowsOfMonth?: number | undefined;
  readonly day: number;
};
