import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AggregatesRequest } from '../../calls/call.ts';
import { type Aggregates, aggregatesQuery, groupsOf } from '../../data/metric-aggregates.ts';
import { placeSearchQuery } from '../../data/metric-queries.ts';
import type { Sort } from '../../data/metric-view.ts';
import { useSession } from '../../session/session-context.tsx';
import { useDelayed } from '../../ui/use-delayed.ts';
import type { Against } from './period-against.ts';
import {
  compareRows,
  type Ranked,
  rankRows,
  searchRows,
  sortRows,
  toRankedRow,
} from './ranking.ts';
import type { Stretch } from './spans.ts';
import { type Asked, toListRequest } from './to-aggregates.ts';

export type Ranking = {
  /** Undefined while they are read. */
  readonly rows: readonly Ranked[] | undefined;
  /** Those that match the search. */
  readonly found: readonly Ranked[];
  readonly total: number;
  /** Whether `rows` are all that there are. */
  readonly isComplete: boolean;
  /** Whether other rows are read, and these are those before. */
  readonly isStale: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly request: AggregatesRequest;
};

const LARGEST: Sort = '-value';
const NO_ROWS: readonly Ranked[] = [];

/**
 * The places or groups of a list in their order. If one answer has all of them, they are sorted and searched here;
 * otherwise the service sorts and searches them.
 */
export function useRanking({
  asked,
  stretch,
  against,
  sort,
  search,
  isOn,
}: {
  readonly asked: Asked;
  readonly stretch: Stretch | undefined;
  readonly against: Against;
  readonly sort: Sort;
  readonly search: string;
  readonly isOn: boolean;
}): Ranking {
  const session = useSession();
  const requestOf = (order: Sort, of = stretch): AggregatesRequest =>
    toListRequest({
      asked,
      stretch: of,
      compare: against.kind === 'service' ? against.compare : undefined,
      sort: order,
    });
  // The rows before stay until others are read, but not those of other groups.
  const of = groupsOf(requestOf(LARGEST));
  const placeholderData = (before: Aggregates | undefined): Aggregates | undefined =>
    before?.of === of ? before : undefined;
  const all = useQuery({
    ...aggregatesQuery(session, requestOf(LARGEST)),
    enabled: isOn,
    placeholderData,
  });
  const isComplete = all.data === undefined || all.data.totalSize <= all.data.rows.length;
  const ordered = useQuery({
    ...aggregatesQuery(session, requestOf(sort)),
    enabled: isOn && !isComplete && sort !== LARGEST,
    placeholderData,
  });
  const other = useQuery({
    ...aggregatesQuery(
      session,
      requestOf(LARGEST, against.kind === 'other' ? against.stretch : stretch),
    ),
    enabled: isOn && against.kind === 'other',
    placeholderData,
  });
  const shown = isComplete || sort === LARGEST ? all : ordered;
  const rows = useMemo(() => {
    if (shown.data === undefined || (against.kind === 'other' && other.data === undefined)) {
      return undefined;
    }
    const read = shown.data.rows.map(toRankedRow);
    const compared =
      against.kind === 'other'
        ? compareRows(read, (other.data?.rows ?? []).map(toRankedRow))
        : read;
    return rankRows(sortRows(compared, sort), sort);
  }, [shown.data, other.data, against.kind, sort]);

  const delayed = useDelayed(search.trim());
  const isSearchedHere = isComplete || asked.parts.group !== undefined;
  const { metric } = asked.parts;
  const places = useQuery({
    ...placeSearchQuery(session, {
      catalogId: metric.catalogId,
      layerId: metric.layerId,
      text: delayed,
      components: asked.view.components,
    }),
    enabled: isOn && !isSearchedHere && delayed !== '',
    placeholderData: keepPreviousData,
  });
  const ids = (places.data ?? []).map(({ featureId }) => featureId);
  const foundThere = useQuery({
    ...aggregatesQuery(session, { ...requestOf(LARGEST), featureFilter: ids }),
    enabled: isOn && !isSearchedHere && delayed !== '' && ids.length > 0,
    placeholderData: keepPreviousData,
  });
  const found = useMemo(() => {
    if (rows === undefined) return NO_ROWS;
    if (isSearchedHere) return searchRows(rows, search);
    if (search.trim() === '') return rows;
    const ranks = new Map(rows.map(({ row, rank }) => [row.id, rank]));
    return sortRows((foundThere.data?.rows ?? []).map(toRankedRow), sort).map((row) => ({
      row,
      rank: ranks.get(row.id),
    }));
  }, [rows, search, sort, isSearchedHere, foundThere.data]);
  const failed = [all, ordered, other, places, foundThere].find(({ error }) => error !== null);
  return {
    rows,
    found,
    total: shown.data?.totalSize ?? 0,
    isComplete,
    isStale: shown.isPlaceholderData || (against.kind === 'other' && other.isPlaceholderData),
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
    request: requestOf(sort),
  };
}
