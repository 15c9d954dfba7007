import type { Caller } from '@locmetrics/core/domain/caller';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { memoize } from '@locmetrics/core/runtime/memoize';
import {
  type Abortable,
  type Admission,
  type LimitHeaders,
  type LimitKeeper,
  NOTHING_CHARGED,
} from './limit-keeper.ts';
import { hasRowLimits } from './limit-set.ts';
import { viewingAccount } from './viewing.ts';

/** The rows that each organisation may look at in a day; undefined: a tenth of each of its limits of rows. */
export type ViewedRows = number | undefined;

/** How many rows an organisation may look at. */
export type ViewedLimits = Pick<OrganisationLimits, 'rowsPerDay' | 'rowsPerMonth'>;

/** Counts the rows that organisations look at besides their limits; see `viewing.ts`. */
export type ViewingLimits = {
  /**
   * Admits a request that looks. The result charges the rows of its answer, or refuses them with a ServiceError; undefined:
   * looking counts as any other use.
   */
  readonly admit: (caller: Caller, signal: Abortable) => Promise<Admission['charge'] | undefined>;
  /** Adds the header fields of what the organisation may look at to those of its limits. */
  readonly addHeaders: (caller: Caller, own: LimitHeaders) => LimitHeaders;
  /** Undefined if nothing is counted apart, because the organisation has no limit of rows. */
  readonly limitsOf: (caller: Caller) => ViewedLimits | undefined;
};

/** For the keeper of limits, what an organisation looks at is an organisation of its own. */
export function openViewingLimits(
  limits: Pick<LimitKeeper, 'admit' | 'headers'>,
  viewedRows: ViewedRows,
): ViewingLimits {
  // The keeper expects the same object for the same limits.
  const viewedOf = memoize((own: OrganisationLimits): ViewedLimits | undefined => {
    const rowsPerDay = own.viewedRowsPerDay ?? viewedRows;
    if (rowsPerDay === 0 || !hasRowLimits(own)) return undefined;
    return rowsPerDay === undefined ? tenthOf(own) : { rowsPerDay };
  });
  return {
    admit: async (caller, signal) => {
      const own = caller.rights.limits;
      const viewed = viewedOf(own);
      if (viewed === undefined) {
        return viewedRows === 0 || hasRowLimits(own) ? undefined : () => NOTHING_CHARGED;
      }
      // Even an answer without rows says what is left.
      const { charge } = await limits.admit(viewerOf(caller, viewed), signal);
      return (rows) =>
        charge(rows).catch((error: unknown) => {
          throw viewedTooMuch(error, viewed, rows);
        });
    },
    addHeaders: (caller, own) => {
      const viewed = viewedOf(caller.rights.limits);
      if (viewed === undefined || own.length === 0) return own;
      const more = new Map(limits.headers(viewerOf(caller, viewed)));
      return own.map(([name, value]) => {
        const items = more.get(name)?.replaceAll(/"(day|month)"/g, '"viewed-$1"');
        return [name, items === undefined ? value : `${value}, ${items}`];
      });
    },
    limitsOf: ({ rights }) => viewedOf(rights.limits),
  };
}

/** At least one row of each, so that a look is refused with its reason and not as a limit of none. */
function tenthOf({ rowsPerDay, rowsPerMonth }: OrganisationLimits): ViewedLimits {
  return {
    ...(rowsPerDay !== undefined && { rowsPerDay: Math.ceil(rowsPerDay / 10) }),
    ...(rowsPerMonth !== undefined && { rowsPerMonth: Math.ceil(rowsPerMonth / 10) }),
  };
}

function viewerOf(caller: Caller, viewed: ViewedLimits): Caller {
  const organisationId = viewingAccount(caller.organisationId);
  return { ...caller, organisationId, rights: { ...caller.rights, limits: viewed } };
}

function viewedTooMuch(error: unknown, viewed: ViewedLimits, rows: number): unknown {
  if (!(error instanceof ServiceError) || error.reason !== 'LIMIT_EXCEEDED') return error;
  const isOfDay = error.limit === 'rowsPerDay';
  const most = isOfDay ? `${viewed.rowsPerDay} rows a day` : `${viewed.rowsPerMonth} rows a month`;
  return new ServiceError(
    'LIMIT_EXCEEDED',
    `Your organisation may look at ${most} besides its limits. The answer has ${rows} rows, and fewer are left.`,
    {
      hint: `Wait until ${isOfDay ? 'midnight' : 'the next month'} (UTC), or send the request without the header Locmetrics-Purpose: its rows then count against the limits.`,
      limit: isOfDay ? 'viewedRowsPerDay' : 'viewedRowsPerMonth',
      retryAfterSeconds: error.retryAfterSeconds ?? 1,
      cause: error,
    },
  );
}
