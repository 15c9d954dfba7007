import type { CalendarDate, MetricSpec, Period } from '@locmetrics/client';
import { toDay } from '../../format/periods.ts';

type Rhythm = Pick<MetricSpec, 'cadence' | 'rollingObservationWindow'>;

/**
 * The periods in their order, with those between them that the cadence expects and that have no value at all: a chart
 * must show them as gaps. Without a cadence nothing is expected.
 */
export function fillPeriods(periods: readonly Period[], rhythm: Rhythm): readonly Period[] {
  const sorted = periods.toSorted((one, other) => compareTexts(periodKey(one), periodKey(other)));
  const step = toStep(rhythm);
  if (step === undefined) return sorted;
  const filled: Period[] = [];
  for (const period of sorted) {
    const before = filled.at(-1);
    const limit = toDay(period.start);
    let start = before === undefined ? undefined : step(before.start);
    while (start !== undefined && toDay(start) < limit) {
      filled.push({ start, end: addDays(step(start), -1) });
      start = step(start);
    }
    filled.push(period);
  }
  return filled;
}

/** A period as a text that orders and identifies it. */
export function periodKey({ start, end }: Period): string {
  return `${toDay(start)}/${toDay(end)}`;
}

/**
 * The day to compare a day with: the same weekday 52 weeks before for days and weeks, the same date a year before for
 * longer periods.
 */
export function yearBefore(day: string, { cadence }: Rhythm): string {
  const date = fromDay(day);
  return toDay(isShort(cadence) ? addDays(date, -364) : addMonths(date, -12));
}

export function isShort(cadence: Rhythm['cadence']): boolean {
  return cadence === 'HOURLY' || cadence === 'DAILY' || cadence.startsWith('WEEKLY');
}

/** From a start to the next expected one. */
function toStep({
  cadence,
  rollingObservationWindow,
}: Rhythm): ((start: CalendarDate) => CalendarDate) | undefined {
  switch (cadence) {
    case 'UNSPECIFIED':
      return undefined;
    case 'HOURLY':
    case 'DAILY':
      return (start) => addDays(start, 1);
    case 'WEEKLY':
    case 'WEEKLY_MON_SUN':
    case 'WEEKLY_TUE_MON':
      return (start) => addDays(start, 7);
    case 'MONTHLY':
      return (start) => addMonths(start, 1);
    case 'QUARTERLY':
      return (start) => addMonths(start, 3);
    case 'TRIMONTHLY':
      return (start) => addMonths(start, rollingObservationWindow ? 1 : 3);
    case 'YEARLY':
      return (start) => addMonths(start, rollingObservationWindow ? 1 : 12);
  }
}

export function addDays({ year, month, day }: CalendarDate, days: number): CalendarDate {
  return toDate(new Date(Date.UTC(year, month - 1, day + days)));
}

export function addMonths({ year, month, day }: CalendarDate, months: number): CalendarDate {
  // A month may lack the day: the last day of it is meant then.
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return toDate(new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))));
}

export function fromDay(day: string): CalendarDate {
  return toDate(new Date(`${day}T00:00:00Z`));
}

function toDate(date: Date): CalendarDate {
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
