import {
  acquireBuffer,
  dropIdleBuffers,
  releaseBuffer,
} from '@locmetrics/core/encoding/buffer-pool';
import { expect, test } from 'vitest';

test('a buffer is used again once it is released, even by a part of it', () => {
  const pooled = acquireBuffer(70_000);
  expect(pooled.length).toBeGreaterThanOrEqual(70_000);
  expect(acquireBuffer(70_000).buffer).not.toBe(pooled.buffer);
  releaseBuffer(pooled.subarray(10, 20));
  expect(acquireBuffer(100_000).buffer).toBe(pooled.buffer);
});

test('a buffer that is released twice has one user only', () => {
  const pooled = acquireBuffer(70_000);
  releaseBuffer(pooled);
  releaseBuffer(pooled);
  const [first, second] = [acquireBuffer(70_000), acquireBuffer(70_000)];
  expect([first, second].filter(({ buffer }) => buffer === pooled.buffer)).toHaveLength(1);
});

test('a buffer from outside the pool is not used', () => {
  const foreign = Buffer.allocUnsafeSlow(64 * 1024);
  const large = acquireBuffer(100_000_000);
  releaseBuffer(foreign);
  releaseBuffer(large);
  expect(large.length).toBe(100_000_000);
  expect(acquireBuffer(1).buffer).not.toBe(foreign.buffer);
  expect(acquireBuffer(100_000_000).buffer).not.toBe(large.buffer);
});

test.each([
  [1_500_000, 4],
  [7_000_000, 1],
  [18_000_000, 1],
])('of buffers of %i bytes %i are kept', (bytes, keptCount) => {
  dropIdleBuffers();
  const acquired = Array.from({ length: 6 }, () => acquireBuffer(bytes));
  for (const pooled of acquired) releaseBuffer(pooled);
  const again = Array.from({ length: 6 }, () => acquireBuffer(bytes).buffer);
  expect(
    again.filter((buffer) => acquired.some((pooled) => pooled.buffer === buffer)),
  ).toHaveLength(keptCount);
});

test('a buffer that is dropped is not used again', () => {
  const pooled = acquireBuffer(70_000);
  releaseBuffer(pooled);
  dropIdleBuffers();
  expect(acquireBuffer(70_000).buffer).not.toBe(pooled.buffer);
});
