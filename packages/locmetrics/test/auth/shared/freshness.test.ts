import { machineMs, openFreshness, refuseUnlessFresh } from '@locmetrics/cluster/control/freshness';
import type { TokenLookup } from '@locmetrics/server/auth/callers';
import { expect, test } from 'vitest';

test('a mirror is fresh until the last time that was told', () => {
  let now = 0;
  const freshness = openFreshness(() => now);
  expect(freshness.check).toThrow('has not been reached for longer than --control-away-max');
  freshness.extend(machineMs() + 1_000);
  now = 900;
  freshness.check();
  now = 1_001;
  expect(freshness.check).toThrow();
  freshness.extend(machineMs() + 1_000);
  freshness.check();
  freshness.extend(machineMs() + 10);
  now = 1_900;
  freshness.check();
});

test('while it is not fresh, no token is accepted, and callers are told no more than that', () => {
  const freshness = openFreshness(() => 0);
  const found: TokenLookup = { isAccepted: false, refusal: 'unknown', tokenId: undefined };
  const findCaller = (_: string) => found;
  const store = refuseUnlessFresh(
    { findCaller, findCallerById: findCaller, pollCallers: () => findCaller },
    freshness,
  );
  for (const look of [
    () => store.findCaller('x'),
    () => store.findCallerById('x'),
    () => store.pollCallers(),
  ]) {
    expect(look).toThrow(
      expect.objectContaining({
        name: 'ControlError',
        toServiceError: expect.any(Function),
      }),
    );
  }
  freshness.extend(machineMs() + 60_000);
  expect(store.findCaller('x')).toBe(found);
});
