import type { Client } from '@locmetrics/client';

type Caller = Awaited<ReturnType<Client['getCaller']>>;

/**
 * How the rows that the page shows are counted: apart from the limits of the organisation, up to a limit of their own.
 * Beyond that they are refused, until somebody chooses to use the rows of the other limits. Whole results always use these.
 */
export type Looking = {
  readonly state: () => 'apart' | 'refused' | 'charged';
  readonly subscribe: (listener: () => void) => () => void;
  /** From now on, what the page shows uses the rows of the limits. */
  readonly charge: () => void;
  /** As the `fetch` of the browser, for what the page shows. */
  readonly fetch: typeof fetch;
};

/** The operator can count a request with this header apart from the limits. */
export const PURPOSE = ['locmetrics-purpose', 'view'] as const;

export function createLooking(): Looking {
  let state: ReturnType<Looking['state']> = 'apart';
  const listeners = new Set<() => void>();
  const change = (next: typeof state): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const isCharged = (): boolean => state === 'charged';
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    charge: () => change('charged'),
    async fetch(address, init) {
      if (isCharged()) return fetch(address, init);
      const headers = new Headers(init?.headers);
      headers.set(...PURPOSE);
      const answer = await fetch(address, { ...init, headers });
      if (answer.status !== 429 || !(await isRefusedLook(answer.clone()))) return answer;
      // It was asked for before the choice, and refused after it.
      if (isCharged()) return fetch(address, init);
      if (state === 'apart') change('refused');
      return answer;
    },
  };
}

async function isRefusedLook(answer: Response): Promise<boolean> {
  const { limit }: { readonly limit?: string } = await answer.json();
  return limit === 'viewedRowsPerDay' || limit === 'viewedRowsPerMonth';
}

type Limited = Pick<Caller, 'limits' | 'viewedRowsPerDay' | 'viewedRowsPerMonth'>;

/** Whether what the page shows can use up rows of the organisation. */
export function usesUpRows({ limits, viewedRowsPerDay, viewedRowsPerMonth }: Limited): boolean {
  const isLimited = limits.rowsPerDay !== null || limits.rowsPerMonth !== null;
  return isLimited && viewedRowsPerDay === null && viewedRowsPerMonth === null;
}

/** The rows that can be looked at in a day, or in a month if those are fewer. */
function allowedRows({ viewedRowsPerDay, viewedRowsPerMonth }: Limited): number {
  return Math.min(viewedRowsPerDay ?? Infinity, viewedRowsPerMonth ?? Infinity);
}

/** A look that costs more than this part of the allowance is taken only on request. */
const LARGE_PART = 1 / 4;

/** Whether to say what a look costs before it is taken. */
export function isLargeLook(caller: Limited, rows: number): boolean {
  return usesUpRows(caller) || rows > allowedRows(caller) * LARGE_PART;
}

/** A view without its list is empty, so a list of so few rows is shown even if it uses up some. */
const SMALL_LIST = 100;

/** The same for a list, which a view is made for. */
export function isLargeList(caller: Limited, rows: number): boolean {
  return rows > SMALL_LIST && isLargeLook(caller, rows);
}
