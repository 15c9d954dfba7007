/** Keeps the values that were used last, up to about so many bytes. */
export type ByteCache<Key, Value> = {
  readonly find: (key: Key) => Value | undefined;
  readonly keep: (key: Key, value: Value) => void;
  readonly clear: () => void;
};

/** `bytesOf` must be the same whenever it is asked for a value. */
export function openByteCache<Key, Value extends {}>(
  bytesMax: number,
  bytesOf: (value: Value) => number,
): ByteCache<Key, Value> {
  const kept = new Map<Key, Value>();
  let bytes = 0;
  const drop = (key: Key): void => {
    const value = kept.get(key);
    if (value === undefined) return;
    kept.delete(key);
    bytes -= bytesOf(value);
  };
  return {
    find: (key) => {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      // The map is in the order of the last use.
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    keep: (key, value) => {
      drop(key);
      kept.set(key, value);
      bytes += bytesOf(value);
      for (const oldest of kept.keys()) {
        if (bytes <= bytesMax) return;
        drop(oldest);
      }
    },
    clear: () => {
      kept.clear();
      bytes = 0;
    },
  };
}
