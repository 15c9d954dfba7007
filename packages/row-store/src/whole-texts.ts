/*
 * Whole texts: the numbers of the values by a hash of their folded text, so that the values that equal a term are found by
 * one lookup. They are in buckets; an entry is the part of the hash that is not that of the bucket, then the number. Most
 * terms equal no value, as the bits show that are kept in memory: a value sets two of them.
 */

/** The mean number of entries in a bucket. */
const BUCKET_ENTRIES = 64;
const ENTRY_NUMBERS = 2;
/** With so many, one of twenty terms that equal no value is looked up. */
const BITS_OF_VALUE = 8;

/** The key of the bits among those of the buckets. */
export const BITS_BUCKET = -1;

/** Collects the values. */
export type WholeTexts = {
  readonly add: (folded: string, number: number) => void;
  /** The buckets, each with its bytes, and the bits. */
  readonly entries: () => Iterable<readonly [number, Uint8Array]>;
};

/** For so many values. */
export function openWholeTexts(values: number): WholeTexts {
  const buckets = bucketsOf(values);
  const lists = Array.from({ length: buckets }, (): number[] => []);
  const bits = new Uint8Array(Math.max(1, Math.ceil((values * BITS_OF_VALUE) / 8)));
  return {
    add: (folded, number) => {
      const hash = hashOf(folded);
      lists[hash % buckets]?.push(Math.floor(hash / buckets), number);
      for (const bit of bitsOf(hash, bits))
        bits[bit >>> 3] = (bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
    },
    *entries() {
      yield [BITS_BUCKET, bits];
      for (const [bucket, list] of lists.entries()) {
        if (list.length > 0) yield [bucket, new Uint8Array(Uint32Array.from(list).buffer)];
      }
    },
  };
}

/** The numbers of the values that may have a folded text, among so many values. */
export function findWholeText(
  folded: string,
  values: number,
  read: { readonly bits: () => Uint8Array; readonly bucket: (bucket: number) => Uint8Array },
): Uint32Array {
  const hash = hashOf(folded);
  const bits = read.bits();
  const isSet = (bit: number): boolean => ((bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  if (!bitsOf(hash, bits).every(isSet)) return new Uint32Array();
  const buckets = bucketsOf(values);
  // The bytes of a row may begin anywhere in their buffer.
  const entries = new Uint32Array(read.bucket(hash % buckets).slice().buffer);
  const rest = Math.floor(hash / buckets);
  const found: number[] = [];
  for (let at = 0; at < entries.length; at += ENTRY_NUMBERS) {
    if (entries[at] === rest) found.push(entries[at + 1] ?? 0);
  }
  return Uint32Array.from(found);
}

function bucketsOf(values: number): number {
  return Math.max(1, Math.ceil(values / BUCKET_ENTRIES));
}

function bitsOf(hash: number, { length }: Uint8Array): readonly number[] {
  const other = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 0;
  return [hash % (length * 8), other % (length * 8)];
}

/** FNV-1a of the code units, in 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
