import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { LENT_SHARE } from './request-bucket.ts';
import { monthOf } from './usage-calendar.ts';
import type { UsedRows } from './usage-query.ts';

/** The rows that an organisation used in the calendar day and month; leased rows count as used. */
export type RowBudget = {
  /** Undefined before the first day starts. */
  readonly day: () => number | undefined;
  /** Starts a day with the usage so far of the day and its month. */
  readonly startDay: (day: number, used: UsedRows) => void;
  /** Discards all counts; the day must start again. */
  readonly forget: () => void;
  readonly left: (limits: RowLimits) => LeftRows;
  readonly take: (rows: number) => void;
  /** Leases up to `wanted` rows, but never more than a small share of the remainder. */
  readonly lend: (wanted: number, limits: RowLimits) => number;
  readonly isLent: () => boolean;
  readonly settle: (lent: { readonly used: number; readonly unused: number }) => void;
  /** Returns rows that were taken. */
  readonly refund: (rows: number) => void;
};

type RowLimits = Pick<OrganisationLimits, 'rowsPerDay' | 'rowsPerMonth'>;

/** Infinite without a limit; never negative, even after a limit was lowered. */
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
    startDay: (day, used) => {
      const isSameMonth = today !== undefined && monthOf(today).endMs === monthOf(day).endMs;
      // The most recent usage may not be recorded yet.
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
