import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import type { LimitClock } from './limit-clock.ts';
import type { DrawnLimits, LimitDraw } from './limit-draw.ts';
import { rateOf } from './limit-set.ts';
import { openRequestBucket, type RequestBucket, type RequestRate } from './request-bucket.ts';
import { dayOf, monthOf } from './usage-calendar.ts';

/** The amounts that a machine may give while the database is away: its part of each limit, by the machines that were live. */
export type AwayShare = {
  readonly draw: (asked: LimitDraw) => DrawnLimits;
  /** An estimate, never too high, of the requests in the buckets of all machines; undefined without a limit. */
  readonly requestsOfAll: () => number | undefined;
};

/** The amounts left for all machines when the database last answered. */
export type KnownLeft = Pick<
  DrawnLimits,
  'leftRequests' | 'leftOfDay' | 'leftOfMonth' | 'leftSlots' | 'day'
>;

/** The part of the rows left that is given: what is known of them is some moments old. */
const GIVEN_PART = 0.95;

/** So long the machines keep the slots that they have, because those of one that ended are not free before. */
const KEEP_SLOTS_MS = 5_000;

type Rows = { day: number; ofDay: number; ofMonth: number; usedBefore: number };

export function openAwayShare({
  limits,
  nodes,
  known,
  slots,
  clock,
}: {
  readonly limits: OrganisationLimits;
  readonly nodes: number;
  readonly known: KnownLeft | undefined;
  /** Those that the machine has. */
  readonly slots: number;
  readonly clock: LimitClock;
}): AwayShare {
  const bucket = openBucket({ rate: rateOf(limits), nodes, known, clock });
  const keepUntilMs = clock.nowMs() + KEEP_SLOTS_MS;
  const slotsOfPart = (): number => {
    const part = (limits.concurrentQueries ?? 0) / nodes;
    if (known === undefined || clock.nowMs() >= keepUntilMs) return Math.max(1, Math.floor(part));
    return Math.max(1, slots + Math.floor(known.leftSlots / nodes));
  };
  let rows: Rows | undefined;
  return {
    draw: (asked) => {
      rows = rowsOfToday({ rows, limits, nodes, known, asked, today: dayOf(clock.timeMs()) });
      const isCounted = asked.day === rows.day;
      const spent = isCounted ? asked.usedRows - rows.usedBefore : 0;
      const left = Math.max(0, Math.floor(Math.min(rows.ofDay, rows.ofMonth)) - spent);
      const given = left >= asked.rows ? asked.rows : left >= asked.leastRows ? left : 0;
      return {
        nodes,
        ...drawRequests(bucket, asked),
        counting: 'counted',
        number: isCounted ? asked.number : undefined,
        day: rows.day,
        rows: given,
        leftOfDay: limits.rowsPerDay === undefined ? null : left - given,
        leftOfMonth: limits.rowsPerMonth === undefined ? null : left - given,
        slots: Math.max(asked.usedSlots, Math.min(asked.slots, slotsOfPart())),
        leftSlots: Math.max(0, slotsOfPart() - asked.slots),
      };
    },
    requestsOfAll: () => (bucket === undefined ? undefined : bucket.left() * nodes),
  };
}

function openBucket({
  rate,
  nodes,
  known,
  clock,
}: {
  readonly rate: RequestRate | undefined;
  readonly nodes: number;
  readonly known: KnownLeft | undefined;
  readonly clock: LimitClock;
}): RequestBucket | undefined {
  if (rate === undefined) return undefined;
  const burst = Math.max(1, rate.burst / nodes);
  const bucket = openRequestBucket(
    { requestsPerSecond: rate.requestsPerSecond / nodes, burst },
    clock.nowMs,
  );
  bucket.take(burst - Math.min(burst, (known?.leftRequests ?? rate.burst) / nodes));
  return bucket;
}

function drawRequests(
  bucket: RequestBucket | undefined,
  asked: LimitDraw,
): Pick<DrawnLimits, 'requests' | 'leftRequests'> {
  if (bucket === undefined) return { requests: 0, leftRequests: null };
  bucket.take(-asked.returnedRequests);
  const requests = Math.min(asked.requests, Math.floor(bucket.left()));
  bucket.take(requests);
  return { requests, leftRequests: bucket.left() };
}

/** A part of what was left; of the whole limit on a new day, or if nothing was known. */
function rowsOfToday({
  rows,
  limits,
  nodes,
  known,
  asked,
  today,
}: {
  readonly rows: Rows | undefined;
  readonly limits: OrganisationLimits;
  readonly nodes: number;
  readonly known: KnownLeft | undefined;
  readonly asked: LimitDraw;
  readonly today: number;
}): Rows {
  if (rows?.day === today) return rows;
  const part = (of: number | null | undefined): number =>
    of === undefined || of === null ? Number.POSITIVE_INFINITY : Math.max(1, of) / nodes;
  const isKnown = rows === undefined && known?.day === today && asked.day === today;
  if (isKnown) {
    const left = (of: number | null | undefined, limit: number | undefined): number =>
      limit === undefined ? Number.POSITIVE_INFINITY : ((of ?? limit) * GIVEN_PART) / nodes;
    return {
      day: today,
      ofDay: left(known.leftOfDay, limits.rowsPerDay),
      ofMonth: left(known.leftOfMonth, limits.rowsPerMonth),
      usedBefore: asked.usedRows,
    };
  }
  const isSameMonth = rows !== undefined && monthOf(rows.day).endMs === monthOf(today).endMs;
  return {
    day: today,
    ofDay: part(limits.rowsPerDay),
    ofMonth: isSameMonth
      ? Math.max(0, rows.ofMonth - (asked.usedRows - rows.usedBefore))
      : part(limits.rowsPerMonth),
    usedBefore: 0,
  };
}
