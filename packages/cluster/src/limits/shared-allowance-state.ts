import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import type { AwayShare } from '@locmetrics/server/metering/away-share';
import type { DemandMeter } from '@locmetrics/server/metering/demand-meter';
import type {
  openReturnSignal,
  SharedAllowanceOptions,
} from '@locmetrics/server/metering/limit-allowance';
import type { DrawnLimits, LimitDraw } from '@locmetrics/server/metering/limit-draw';
import { dayOf } from '@locmetrics/server/metering/usage-calendar';
import type { UsedRows } from '@locmetrics/server/metering/usage-query';

/** The database that several machines share. */
export type SharedSource = {
  /** Undefined while the database is away. */
  readonly draw: (asked: LimitDraw) => Promise<DrawnLimits | undefined>;
  readonly forgetRows: (organisationId: string) => void;
  /** The machines that are live, as far as known. */
  readonly nodes: () => number;
  /** The clock of the database, in ms since 1970; never ahead of it. */
  readonly timeMs: () => number;
};

/** The least time between two statements about an organisation. */
export const DRAW_EVERY_MS = 20;

/** Of an organisation, on one machine. */
export type State = SharedAllowanceOptions & {
  readonly source: SharedSource;
  readonly demand: { readonly requests: DemandMeter; readonly rows: DemandMeter };
  readonly returns: ReturnType<typeof openReturnSignal>;
  /** Questions that wait for a slot, and may proceed. */
  readonly queue: Set<() => void>;
  limits: OrganisationLimits;
  /** The amounts that this machine holds and has not given. */
  requests: number;
  rows: number;
  /** The part of it that its processes lease. */
  lentRequests: number;
  lentRows: number;
  /** The rows of this count that were given or are leased. */
  usedRows: number;
  number: number | undefined;
  day: number | undefined;
  /** All slots of this machine, those of them that processes use or lease, and the most of these since the last tick. */
  slots: number;
  usedSlots: number;
  peakSlots: number;
  /** The peaks of the last ticks. */
  peaks: number[];
  recalledMs: number;
  /** The requests that the database counts as held by this machine. */
  reportedRequests: number;
  /** The usage so far, for the next draw. */
  used: UsedRows | undefined;
  waiting: Waiting;
  drawn: DrawnLimits | undefined;
  drawnMs: number;
  sentMs: number;
  /** Whether the draw before the last one was a moment before it. */
  isBusy: boolean;
  draws: number;
  drawing: Promise<void> | undefined;
  next: Promise<void> | undefined;
  starting: Promise<void> | undefined;
  away: AwayShare | undefined;
};

/** The needs of the questions that wait for the next draw. */
type Waiting = {
  readonly requests: number;
  readonly rows: number;
  readonly leastRows: number;
  readonly places: number;
  readonly morePlaces: number;
};

export const NOTHING: Waiting = { requests: 0, rows: 0, leastRows: 0, places: 0, morePlaces: 0 };

export function forgetRows(
  state: State,
  begun: Pick<DrawnLimits, 'day' | 'number'> | undefined,
): void {
  state.rows = 0;
  state.lentRows = 0;
  state.usedRows = 0;
  state.number = begun?.number;
  state.day = begun?.day;
}

export function isDayBegun({ day, source }: State): boolean {
  return day !== undefined && day >= dayOf(source.timeMs());
}
