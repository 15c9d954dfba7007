import { keepNewest } from '@locmetrics/core/runtime/memoize';

/** So much is kept: this many views of a layer or of the values of a metric, each with so many features. */
const VIEWS_MAX = 64;
const FEATURES_MAX = 50_000;

/** The known values of features, by id; undefined for a feature of which nothing is visible. */
export type KnownFeatures<Known> = ReadonlyMap<string, Known | undefined>;

/**
 * Keeps what was read of features: a map asks for the same ones in every tile. A view is what a caller sees of a
 * version, which never changes.
 */
export function openKeptByFeature<Known>(): {
  /** Reads what is not kept. `view` and `part` together tell what is read. */
  readonly find: (
    of: { readonly view: object; readonly part: string; readonly ids: readonly string[] },
    read: (missing: ReadonlySet<string>) => Promise<ReadonlyMap<string, Known>>,
  ) => Promise<KnownFeatures<Known>>;
} {
  const numbers = new WeakMap<object, number>();
  let views = 0;
  const numberOf = (view: object): number => {
    const known = numbers.get(view);
    if (known !== undefined) return known;
    views += 1;
    numbers.set(view, views);
    return views;
  };
  const kept = new Map<string, Map<string, Known | undefined>>();
  return {
    find: async ({ view, part, ids }, read) => {
      const key = `${numberOf(view)} ${part}`;
      const before = kept.get(key);
      const known =
        before === undefined || before.size > FEATURES_MAX
          ? new Map<string, Known | undefined>()
          : before;
      keepNewest(kept, { key, value: known }, VIEWS_MAX);
      const missing = new Set(ids.filter((id) => !known.has(id)));
      if (missing.size === 0) return known;
      const found = await read(missing);
      for (const id of missing) known.set(id, found.get(id));
      return known;
    },
  };
}
