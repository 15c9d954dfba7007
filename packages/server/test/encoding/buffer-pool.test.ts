import { expect, test } from 'vitest';
import { dropSlabs, giveBackSlab, takeSlab } from '../../src/encoding/buffer-pool.ts';

test('a slab is used again once it is given back, also by a part of it', () => {
  const slab = takeSlab(70_000);
  expect(slab.length).toBeGreaterThanOrEqual(70_000);
  expect(takeSlab(70_000).buffer).not.toBe(slab.buffer);
  giveBackSlab(slab.subarray(10, 20));
  expect(takeSlab(100_000).buffer).toBe(slab.buffer);
});

test('a slab that is given back twice has one user only', () => {
  const slab = takeSlab(70_000);
  giveBackSlab(slab);
  giveBackSlab(slab);
  const [first, second] = [takeSlab(70_000), takeSlab(70_000)];
  expect([first, second].filter(({ buffer }) => buffer === slab.buffer)).toHaveLength(1);
});

test('a buffer that is no slab is not used', () => {
  const foreign = Buffer.allocUnsafeSlow(64 * 1024);
  const large = takeSlab(100_000_000);
  giveBackSlab(foreign);
  giveBackSlab(large);
  expect(large.length).toBe(100_000_000);
  expect(takeSlab(1).buffer).not.toBe(foreign.buffer);
  expect(takeSlab(100_000_000).buffer).not.toBe(large.buffer);
});

test.each([
  [1_500_000, 4],
  [7_000_000, 1],
  [18_000_000, 1],
])('of slabs of %i bytes %i are kept', (bytes, keptCount) => {
  dropSlabs();
  const lent = Array.from({ length: 6 }, () => takeSlab(bytes));
  for (const slab of lent) giveBackSlab(slab);
  const again = Array.from({ length: 6 }, () => takeSlab(bytes).buffer);
  expect(again.filter((buffer) => lent.some((slab) => slab.buffer === buffer))).toHaveLength(
    keptCount,
  );
});

test('a slab that is dropped is not used again', () => {
  const slab = takeSlab(70_000);
  giveBackSlab(slab);
  dropSlabs();
  expect(takeSlab(70_000).buffer).not.toBe(slab.buffer);
});
