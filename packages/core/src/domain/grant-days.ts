import { dayText, isCalendarDate } from '../dates/calendar-date.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Grant } from './grant.ts';

/** The first and the last day (UTC) on which a grant is valid; an absent side is open. */
export type GrantDays = {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
};

const DAY_MS = 86_400_000;

/** Converts the days to times. Refuses a text that is not a date. */
export function grantTimes({ from, until }: GrantDays): Pick<Grant, 'starts' | 'ends'> {
  return {
    starts: from === undefined ? undefined : dayMs(from, '/from'),
    ends: until === undefined ? undefined : dayMs(until, '/until') + DAY_MS,
  };
}

/** Converts the times to days. */
export function grantDays({ starts, ends }: Pick<Grant, 'starts' | 'ends'>): GrantDays {
  return {
    from: starts === undefined ? undefined : dayText(starts),
    until: ends === undefined ? undefined : dayText(ends - 1),
  };
}

/** The start of a day (UTC); refuses a text that is not a date. */
export function dayMs(day: string, pointer: string): number {
  if (isCalendarDate(day)) return Date.parse(`${day}T00:00:00.000Z`);
  throw ServiceError.atPointer(
    'INVALID_PERIOD',
    pointer,
    `'${day.slice(0, 100)}' is not a calendar date.`,
    'Write a day that exists, such as 2026-01-31.',
  );
}
