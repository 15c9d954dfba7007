import type { DataReference } from '@locmetrics/client';
import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import {
  countedProfileQuery,
  type FieldProfile,
  type ProfilesByField,
  partProfilesQuery,
  partsOf,
} from '../../data/profile-queries.ts';
import { useSession } from '../../session/session-context.tsx';

/** The profiles of the fields that have been in view. A wide table has more than anybody looks at. */
export type SeenProfiles = {
  readonly byField: ReadonlyMap<string, FieldProfile>;
  /** Whether values can be counted by groups: not if some records are totals of others. */
  readonly canGroup: boolean;
  readonly error: Error | null;
  readonly isReading: boolean;
  /** The row of a field came into view. */
  readonly see: (field: string) => void;
};

export function useProfiles(reference: DataReference): SeenProfiles {
  const session = useSession();
  const { fields } = reference;
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const see = useCallback(
    (field: string) =>
      setSeen((before) => (before.has(field) ? before : new Set([...before, field]))),
    [],
  );
  const parts = useMemo(() => partsOf(reference), [reference]);
  const [hasTotals, setTotals] = useState(false);
  const ofParts = useQueries({
    queries: parts.map((part) => ({
      ...partProfilesQuery(session, reference, part),
      enabled: !hasTotals && part.fields.some(({ name }) => seen.has(name)),
    })),
  });
  const canGroup = !ofParts.some(({ data }) => data === 'totals');
  // No other part needs to be tried.
  if (!canGroup && !hasTotals) setTotals(true);
  const counted = canGroup ? [] : fields.filter(({ name }) => seen.has(name));
  const ofFields = useQueries({
    queries: counted.map((field) => countedProfileQuery(session, reference, field)),
  });
  const byField = new Map([
    ...joinParts(ofParts.map(({ data }) => data)),
    ...ofFields.flatMap(({ data }, index) => {
      const name = counted[index]?.name;
      return data === undefined || name === undefined ? [] : [[name, data] as const];
    }),
  ]);
  const error = [...ofParts, ...ofFields].find((query) => query.error !== null)?.error ?? null;
  // The first rows come into view soon after they are drawn.
  const isReading =
    seen.size === 0 || [...ofParts, ...ofFields].some(({ isFetching }) => isFetching);
  return { byField, canGroup, error, isReading, see };
}

/** The profiles of which the range is read. */
function joinParts(
  parts: readonly (ProfilesByField | 'totals' | undefined)[],
): readonly (readonly [string, FieldProfile])[] {
  const joined = new Map<string, Partial<FieldProfile>>();
  for (const part of parts) {
    if (part === undefined || part === 'totals') continue;
    for (const [field, profile] of part) joined.set(field, { ...joined.get(field), ...profile });
  }
  return [...joined].flatMap(
    ([field, { present, distinct, isCounted = false, least, greatest }]) =>
      present === undefined ? [] : [[field, { present, distinct, isCounted, least, greatest }]],
  );
}
