import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { LOOKED_AT_MAX, withheldQuery } from '../../data/withheld-queries.ts';
import { useSession } from '../../session/session-context.tsx';
import type { Ranked } from './ranking.ts';
import type { Stretch } from './spans.ts';
import type { Asked } from './to-aggregates.ts';
import { toRequest } from './to-request.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * The places of the list that have no number because their values are withheld. Aggregates do not say so, but the values
 * themselves do, where the owner of the data marks them. Only those of places without a number are read.
 */
export function useWithheld({
  asked: { parts, view },
  stretch,
  rows,
}: {
  readonly asked: Asked;
  /** Undefined: all days. */
  readonly stretch: Stretch | undefined;
  readonly rows: readonly Ranked[] | undefined;
}): ReadonlySet<string> {
  const { metric, measure, group } = parts;
  const ids = useMemo(
    () => (rows ?? []).flatMap(({ row: { id, value } }) => (value === null ? [id] : [])).sort(),
    [rows],
  );
  const request = toRequest(metric, ids, {
    ...view,
    compare: undefined,
    from: stretch?.start,
    to: stretch?.end,
  });
  const { data } = useQuery({
    ...withheldQuery(useSession(), { request, measure }),
    // Only a nullable measure can be withheld.
    enabled:
      group === undefined &&
      measure.valueIsNullable &&
      ids.length > 0 &&
      ids.length <= LOOKED_AT_MAX,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    const found = ids.filter((id) => data?.has(id));
    return found.length === 0 ? NONE : new Set(found);
  }, [ids, data]);
}
