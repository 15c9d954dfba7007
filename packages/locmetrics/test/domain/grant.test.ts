import { findGrant, matchesPattern, wholeGrant } from '@locmetrics/core/domain/grant';
import { createRights } from '@locmetrics/core/domain/rights';
import { expect, test } from 'vitest';

test.each([
  ['*', 'nps.parks', true],
  ['*', 'nps/visits', true],
  ['*.*', 'nps.parks', true],
  ['*.*', 'nps/visits', false],
  ['*/*', 'nps/visits', true],
  ['*/*', 'nps.parks', false],
  ['nps.*', 'nps.parks', true],
  ['nps.*', 'nps/visits', false],
  ['nps.*', 'npsx.parks', false],
  ['nps/foot_*', 'nps/foot_traffic', true],
  ['nps/foot_*', 'nps/visits', false],
  ['nps.parks', 'nps.parks', true],
  ['nps.parks', 'nps.parks_old', false],
  ['nps.parks', 'NPS.parks', false],
])('the pattern %s matches %s: %s', (pattern, name, isNamed) => {
  expect(matchesPattern(pattern, name)).toBe(isNamed);
});

test('of several grants only the most specific counts, in any order', () => {
  const patterns = ['*', '*.*', 'nps.*', 'nps.par*', 'nps.parks'];
  for (const length of [1, 2, 3, 4, 5]) {
    const grants = patterns.slice(0, length).map((pattern) => wholeGrant(pattern, pattern));
    const last = patterns[length - 1];
    expect(findGrant(grants, 'nps.parks')?.pattern).toBe(last);
    expect(findGrant(grants.toReversed(), 'nps.parks')?.pattern).toBe(last);
  }
  expect(findGrant([wholeGrant('a', 'nps.*')], 'census.states')).toBeUndefined();
});

test('the fingerprint of rights is equal exactly if they show the same data', () => {
  const fingerprint = (grantId: string, pattern: string, showsSmallCells = false) =>
    createRights({
      organisationId: 'acme',
      grants: [{ ...wholeGrant(grantId, pattern), showsSmallCells }],
    }).fingerprint;
  const first = fingerprint('a', 'nps.*');
  expect(fingerprint('b', 'nps.*')).toBe(first);
  expect(fingerprint('a', 'nps.parks')).not.toBe(first);
  expect(fingerprint('a', 'nps.*', true)).not.toBe(first);
  expect(createRights({ organisationId: 'other', grants: [wholeGrant('a', 'nps.*')] })).not.toBe(
    first,
  );
});
