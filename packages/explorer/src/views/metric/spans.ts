import type { CalendarDate, Metric } from '@locmetrics/client';
import type { Span } from '../../data/metric-view.ts';
import { formatPeriod, formatRange, toDay } from '../../format/periods.ts';
import { addDays, addMonths, fromDay } from './fill-periods.ts';

type Timed = Pick<Metric, 'spec' | 'firstObservationDate' | 'lastObservationDate'>;

/** A stretch of days that the list can show: one month, one year. */
export type Stretch = {
  /** YYYY-MM-DD. */
  readonly start: string;
  readonly end: string;
  readonly label: string;
};

/** The lengths in which a metric can be looked at; the first one is shown at first. */
export function spansOf({ spec, firstObservationDate: first }: Timed): readonly Span[] {
  if (first === '') return ['all'];
  // Windows that overlap are not put together.
  if (spec.rollingObservationWindow) return ['period'];
  switch (spec.cadence) {
    case 'UNSPECIFIED':
      return ['all', 'year'];
    case 'HOURLY':
    case 'DAILY':
      return ['month', 'period', 'year', 'all'];
    case 'MONTHLY':
      return ['period', 'quarter', 'year', 'all'];
    case 'YEARLY':
      return ['period', 'all'];
    default:
      return ['period', 'year', 'all'];
  }
}

/** The stretches of a length from the first value to the last, in their order. */
export function stretchesOf(metric: Timed, span: Span): readonly Stretch[] {
  const { firstObservationDate: first, lastObservationDate: last } = metric;
  if (first === '') return [];
  if (span === 'all') return [{ start: first, end: last, label: formatRange(first, last) }];
  const { origin, step, length } = rhythmOf(metric, span);
  const stretches: Stretch[] = [];
  for (let index = 0; ; index += 1) {
    const start = step(origin, index);
    if (toDay(start) > last) return stretches;
    const end = addDays(length(start), -1);
    stretches.push(toStretch(start, end, { span, cadence: metric.spec.cadence }));
  }
}

type Rhythm = {
  readonly origin: CalendarDate;
  /** The start of the stretch with an index. */
  readonly step: (origin: CalendarDate, index: number) => CalendarDate;
  /** The day after a stretch. */
  readonly length: (start: CalendarDate) => CalendarDate;
};

function rhythmOf({ spec, firstObservationDate }: Timed, span: Exclude<Span, 'all'>): Rhythm {
  const first = fromDay(firstObservationDate);
  const { cadence, rollingObservationWindow: isRolling } = spec;
  if (span === 'month') return inMonths({ ...first, day: 1 }, 1);
  if (span === 'quarter') {
    return inMonths({ ...first, month: first.month - ((first.month - 1) % 3), day: 1 }, 3);
  }
  if (span === 'year') return inMonths({ ...first, month: 1, day: 1 }, 12);
  switch (cadence) {
    case 'MONTHLY':
      return inMonths(first, 1);
    case 'QUARTERLY':
    case 'TRIMONTHLY':
      return inMonths(first, 3, isRolling ? 1 : 3);
    case 'YEARLY':
      return inMonths(first, 12, isRolling ? 1 : 12);
    case 'WEEKLY':
    case 'WEEKLY_MON_SUN':
    case 'WEEKLY_TUE_MON':
      return inDays(first, 7);
    case 'UNSPECIFIED':
    case 'HOURLY':
    case 'DAILY':
      return inDays(first, 1);
  }
}

function inMonths(origin: CalendarDate, months: number, stepMonths = months): Rhythm {
  return {
    origin,
    step: (from, index) => addMonths(from, index * stepMonths),
    length: (start) => addMonths(start, months),
  };
}

function inDays(origin: CalendarDate, days: number): Rhythm {
  return {
    origin,
    step: (from, index) => addDays(from, index * days),
    length: (start) => addDays(start, days),
  };
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function toStretch(
  start: CalendarDate,
  end: CalendarDate,
  { span, cadence }: { readonly span: Span; readonly cadence: Metric['spec']['cadence'] },
): Stretch {
  const days = { start: toDay(start), end: toDay(end) };
  return { ...days, label: labelOf() };

  function labelOf(): string {
    if (span === 'year') return String(start.year);
    if (span === 'quarter') return `Q${Math.ceil(start.month / 3)} ${start.year}`;
    if (span === 'month' || (cadence === 'MONTHLY' && start.day === 1)) {
      return MONTH.format(Date.parse(days.start));
    }
    return formatPeriod({ start, end }, cadence);
  }
}

/** The index of the stretch that has a day; without a day, that of the last one that is complete. */
export function findStretch(
  stretches: readonly Stretch[],
  at: string | undefined,
  last: string,
): number {
  const index =
    at === undefined
      ? stretches.findLastIndex(({ end }) => end <= last)
      : stretches.findLastIndex(({ start }) => start <= at);
  return index === -1 ? (at === undefined ? stretches.length - 1 : 0) : index;
}

/** The stretch that the service compares one with, in words; undefined if there are no values for it. */
export function comparedStretch(
  stretches: readonly Stretch[],
  index: number,
  compare: 'PREVIOUS' | 'SAME_PERIOD_LAST_YEAR',
): Stretch | undefined {
  const stretch = stretches[index];
  if (stretch === undefined) return undefined;
  if (compare === 'PREVIOUS') {
    // Windows that roll overlap: the one before ends before this one begins.
    return stretches.slice(0, index).findLast(({ end }) => end < stretch.start);
  }
  const day = toDay(addMonths(fromDay(stretch.start), -12));
  const same = stretches.find(({ start }) => start === day);
  if (same !== undefined) return same;
  // A week has another first day in another year.
  const near = stretches.findLast(({ start }) => start <= day);
  const isWeek = near !== undefined && near.end >= day && near.start !== near.end;
  return isWeek ? near : undefined;
}
