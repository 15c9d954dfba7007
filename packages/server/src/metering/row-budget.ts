import type { OrganisationLimits } from '../domain/rights.ts';
import { LENT_SHARE } from './request-bucket.ts';
import { monthOf } from './usage-calendar.ts';

/** Rows of answers that were used. */
export type UsedRows = { readonly day: number; readonly month: number };

/** The rows that an organisation used in the calendar day and month; what is lent counts as used. */
export type RowBudget = {
  /** Undefined where none was begun. */
  readonly day: () => number | undefined;
  /** Begins a day with what was used in it and its month before. */
  readonly begin: (day: number, used: UsedRows) => void;
  /** Nothing is known any more: the day is to be begun again. */
  readonly forget: () => void;
  readonly left: (limits: RowLimits) => LeftRows;
  readonly take: (rows: number) => void;
  /** Takes up to so many for others, but never more than a small share of what is left. */
  readonly lend: (wanted: number, limits: RowLimits) => number;
  readonly isLent: () => boolean;
  readonly settle: (lent: { readonly used: number; readonly unused: number }) => void;
  /** Takes back what was taken. */
  readonly refund: (rows: number) => void;
};

type RowLimits = Pick<OrganisationLimits, 'rowsPerDay' | 'rowsPerMonth'>;

/** Infinite where there is no limit; never less than nothing, though limits may be lowered. */
type LeftRows = { readonly ofDay: number; readonly ofMonth: number };

export function openRowBudget(): RowBudget {
  let today: number | undefined;
  let usedInDay = 0;
  let usedInMonth = 0;
  let lent = 0;

  const take = (rows: number): void => {
    usedInDay += rows;
    usedInMonth += rows;
  };
  const left = ({ rowsPerDay, rowsPerMonth }: RowLimits): LeftRows => ({
    ofDay: Math.max(0, (rowsPerDay ?? Number.POSITIVE_INFINITY) - usedInDay),
    ofMonth: Math.max(0, (rowsPerMonth ?? Number.POSITIVE_INFINITY) - usedInMonth),
  });

  return {
    day: () => today,
    begin: (day, used) => {
      const isSameMonth = today !== undefined && monthOf(today).endMs === monthOf(day).endMs;
      // What was used a moment ago may not be written down yet.
      usedInMonth = isSameMonth ? Math.max(usedInMonth, used.month) : used.month;
      usedInDay = used.day;
      today = day;
      lent = 0;
    },
    forget: () => {
      today = undefined;
      lent = 0;
    },
    left,
    take,
    lend: (wanted, limits) => {
      const { ofDay, ofMonth } = left(limits);
      const most = Math.floor(Math.min(ofDay, ofMonth) * LENT_SHARE - lent);
      const rows = Math.max(0, Math.min(wanted, most));
      take(rows);
      lent += rows;
      return rows;
    },
    isLent: () => lent > 0,
    settle: ({ used, unused }) => {
      lent -= used + unused;
      take(-unused);
    },
    refund: (rows) => take(-rows),
  };
}
