/** The first `count` items in the order, sorted. Equal items keep their order. */
export function takeFirst<Item>(
  items: Iterable<Item>,
  compare: (left: Item, right: Item) => number,
  count: number,
): readonly Item[] {
  const first = openFirst(compare, count);
  for (const item of items) first.add(item);
  return first.items;
}

/** The first `count` items, sorted, of those that were added. */
export function openFirst<Item>(
  compare: (left: Item, right: Item) => number,
  count: number,
): {
  readonly items: readonly Item[];
  readonly add: (item: Item) => void;
  /** The last one that an item must come before; undefined as long as there are fewer. */
  readonly last: () => Item | undefined;
} {
  const first: Item[] = [];
  const lastOfAll = (): Item | undefined => (first.length === count ? first.at(-1) : undefined);
  return {
    items: first,
    add: (item) => {
      const last = lastOfAll();
      if (last !== undefined && compare(item, last) >= 0) return;
      let [from, to] = [0, first.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        const other = first[middle];
        if (other !== undefined && compare(item, other) >= 0) from = middle + 1;
        else to = middle;
      }
      first.splice(from, 0, item);
      if (first.length > count) first.pop();
    },
    last: lastOfAll,
  };
}
