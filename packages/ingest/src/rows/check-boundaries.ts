import { type OpenedAreas, openAreas, pointValue } from '../enrich/point-values.ts';
import type { DeclaredDataset } from '../manifest/manifest.ts';
import type { Boundaries } from '../manifest/point-source.ts';
import { PublishError } from '../problems/publish-error.ts';

/** A dataset without the boundaries that cannot be used, so that its files can be checked. */
export type CheckedBoundaries = {
  readonly declared: DeclaredDataset;
  readonly isSound: boolean;
};

/**
 * Opens the boundaries of datasets before any of their rows is read, and tells all that is wrong with them. Fields from
 * boundaries that cannot be used get another value of the point, which nobody sees.
 */
export async function checkBoundaries(
  datasets: readonly DeclaredDataset[],
  refuse: (error: PublishError) => void,
): Promise<readonly CheckedBoundaries[]> {
  const reported = new Set<string>();
  const tell = (error: PublishError) => {
    if (!reported.has(error.message)) refuse(error);
    reported.add(error.message);
  };
  const opened = new Map<string, OpenedAreas | undefined>();
  const checked: CheckedBoundaries[] = [];
  for (const declared of datasets) {
    for (const boundaries of declared.source.areas) {
      if (!opened.has(boundaries.name))
        opened.set(boundaries.name, await tryOpen(boundaries, tell));
    }
    checked.push(leaveOutUnusable(declared, opened, tell));
  }
  return checked;
}

async function tryOpen(
  boundaries: Boundaries,
  tell: (error: PublishError) => void,
): Promise<OpenedAreas | undefined> {
  try {
    return (await openAreas([boundaries])).get(boundaries.name);
  } catch (error) {
    if (!(error instanceof PublishError)) throw error;
    tell(error);
    return undefined;
  }
}

function leaveOutUnusable(
  declared: DeclaredDataset,
  opened: ReadonlyMap<string, OpenedAreas | undefined>,
  tell: (error: PublishError) => void,
): CheckedBoundaries {
  const { source } = declared;
  const usable = new Map([...opened].flatMap(([name, one]) => (one ? [[name, one] as const] : [])));
  const isUsable = (name: string): boolean => {
    const from = source.fields.get(name)?.from;
    if (from?.kind !== 'area') return true;
    if (!usable.has(from.area)) return false;
    try {
      pointValue(from, usable);
      return true;
    } catch (error) {
      if (!(error instanceof PublishError)) throw error;
      tell(error);
      return false;
    }
  };
  const unusable = [...source.fields.keys()].filter((name) => !isUsable(name));
  const areas = source.areas.filter(({ name }) => usable.has(name));
  if (unusable.length === 0 && areas.length === source.areas.length) {
    return { declared, isSound: true };
  }
  const fields = [...source.fields].map(([name, field]) =>
    unusable.includes(name)
      ? ([name, { ...field, from: { kind: 'h3', resolution: 0 } }] as const)
      : ([name, field] as const),
  );
  const { region } = source;
  const isRegionUsable = region?.kind !== 'area' || usable.has(region.area);
  return {
    declared: {
      ...declared,
      source: {
        ...source,
        areas,
        fields: new Map(fields),
        region: isRegionUsable ? region : undefined,
      },
    },
    isSound: false,
  };
}
