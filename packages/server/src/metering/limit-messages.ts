import type { OrganisationLimits } from '../domain/rights.ts';

/** The one who knows what all processes together have used; what it is told travels as JSON. */
export type LimitLine = {
  readonly ask: (question: LimitQuestion) => Promise<LimitAnswer>;
  readonly tell: (notice: LimitReturn) => void;
};

/** What a process needs for one request or answer: all of it, or nothing. */
export type LimitQuestion = {
  readonly organisationId: string;
  /** As the process knows them now; the last that are told count. */
  readonly limits: OrganisationLimits;
  readonly requests: number;
  readonly rows: number;
  readonly places: number;
  /** How many more of each it would like to be lent, so that it need not ask for them. */
  readonly moreRequests: number;
  readonly moreRows: number;
  readonly returned: LimitReturn;
};

/** What has become of what a process was given. */
export type LimitReturn = {
  readonly organisationId: string;
  readonly usedRequests: number;
  readonly unusedRequests: number;
  readonly usedRows: number;
  readonly unusedRows: number;
  /** Rows that were taken for an answer that was not sent after all. */
  readonly refundedRows: number;
  /** Places that are free again. */
  readonly places: number;
  /** The day (UTC, since 1970) that the rows were given for. */
  readonly day: number;
};

export type LimitAnswer =
  /** What was needed is given; the numbers are what is lent besides. */
  | {
      readonly kind: 'given';
      readonly requests: number;
      readonly rows: number;
      readonly standing: LimitStanding;
    }
  | {
      readonly kind: 'exceeded';
      readonly limit: LimitName;
      /** When it may be enough again. */
      readonly waitMs: number;
      readonly standing: LimitStanding;
    }
  /** Nobody knows what was used. */
  | { readonly kind: 'unknown' };

export type LimitName = keyof Omit<OrganisationLimits, 'burst'>;

/** What is left for all processes, without what is lent to them; nothing is said of what is not limited. */
export type LimitStanding = {
  /** With the part of the next one. */
  readonly requests?: number;
  readonly places?: number;
  readonly rowsOfDay?: number;
  readonly rowsOfMonth?: number;
  readonly day: number;
};
