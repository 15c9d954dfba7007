/** Random numbers from 0 up to, but not including, 1. The same text gives the same numbers. */
export type Random = () => number;

/** The generator is Mulberry32, seeded by the FNV-1a hash of the text. */
export function createRandom(seedText: string): Random {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(seedText)) state = Math.imul(state ^ byte, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random whole number from 0 up to, but not including, the bound. */
export function drawIndex(random: Random, bound: number): number {
  return Math.floor(random() * bound);
}
