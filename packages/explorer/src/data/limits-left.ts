import type { CallerLimits } from '@locmetrics/client';
import type { Caller } from '../session/session.ts';

type LimitName = keyof CallerLimits | 'viewedRowsPerDay' | 'viewedRowsPerMonth';

/** A limit of an organisation. `left` and `endsInSeconds` are undefined if the answer did not say them. */
export type LimitLeft = {
  readonly name: LimitName;
  readonly limit: number;
  readonly left: number | undefined;
  /** The seconds until there is more. */
  readonly endsInSeconds: number | undefined;
};

/** The header of an answer that says how much of a limit is left, and the member of it. */
const HEADERS = {
  rowsPerDay: ['locmetrics-rows', 'day'],
  rowsPerMonth: ['locmetrics-rows', 'month'],
  viewedRowsPerDay: ['locmetrics-rows', 'viewed-day'],
  viewedRowsPerMonth: ['locmetrics-rows', 'viewed-month'],
  burst: ['ratelimit', 'requests'],
  requestsPerSecond: undefined,
  concurrentQueries: undefined,
} as const satisfies Readonly<Record<LimitName, readonly [string, string] | undefined>>;

const NAMES = [
  'rowsPerMonth',
  'rowsPerDay',
  'viewedRowsPerMonth',
  'viewedRowsPerDay',
  'requestsPerSecond',
  'burst',
  'concurrentQueries',
] as const;

/** The limits that an organisation has, with what the headers of an answer say about them. */
export function readLimitsLeft(caller: Caller, headers: Headers): readonly LimitLeft[] {
  const { viewedRowsPerDay, viewedRowsPerMonth } = caller;
  const limits = { ...caller.limits, viewedRowsPerDay, viewedRowsPerMonth };
  return NAMES.flatMap((name) => {
    const limit = limits[name];
    if (limit === null) return [];
    const place = HEADERS[name];
    const item = place === undefined ? undefined : readItem(headers.get(place[0]) ?? '', place[1]);
    return [{ name, limit, left: item?.['r'], endsInSeconds: item?.['t'] }];
  });
}

/** The parameters of a member of a list such as `"day";r=99898;t=43200, "month";r=1204000`. */
function readItem(header: string, name: string): Readonly<Record<string, number>> {
  const member = header.split(', ').find((one) => one.startsWith(`"${name}"`)) ?? '';
  return Object.fromEntries(
    [...member.matchAll(/;(\w+)=(\d+)/g)].map(([, key = '', value]) => [key, Number(value)]),
  );
}
