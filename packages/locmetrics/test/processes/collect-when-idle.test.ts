import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectWhenIdle } from '../../src/processes/collect-when-idle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Looks once for each CPU time, in ms, that was used before the look. */
function looks(usedMs: readonly number[]): number {
  let cpuMs = 0;
  const release = vi.fn();
  const collect = vi.fn(() => expect(release).toHaveBeenCalledTimes(collect.mock.calls.length));
  const end = collectWhenIdle(release, () => cpuMs, collect);
  for (const used of usedMs) {
    cpuMs += used;
    vi.advanceTimersByTime(10_000);
  }
  end();
  cpuMs += 10_000;
  vi.advanceTimersByTime(20_000);
  return collect.mock.calls.length;
}

test.each<[string, readonly number[], number]>([
  ['work and then a pause', [8_000, 100], 1],
  ['work only', [8_000, 8_000, 600], 0],
  ['a pause only', [10, 10, 10], 0],
  ['a long pause after work', [8_000, 100, 10, 10], 1],
  ['work in small parts', [300, 300, 300, 300], 2],
  ['work after a pause, and a pause', [8_000, 100, 8_000, 100], 2],
])('garbage is collected after %s', (_, usedMs, times) => {
  expect(looks(usedMs)).toBe(times);
});
