import { checkBillingContext } from '@locmetrics/server/auth/billing-context';
import { expect, test } from 'vitest';
import { createCaller } from '../support/test-caller.ts';

const CALLER = createCaller({ organisationId: 'acme', tokenId: '0123456789ab' });

test.each([undefined, '', 'acme'])(
  'the billing context %j is the token’s own',
  (billingContext) => {
    expect(() => checkBillingContext(CALLER, billingContext)).not.toThrow();
  },
);

test.each(['other', 'ACME', ' acme', 'acme ', 'acme\0', 'bvcel5223akg00a0m0og'])(
  'the billing context %j is denied',
  (billingContext) => {
    expect(() => checkBillingContext(CALLER, billingContext)).toThrow(
      expect.objectContaining({ reason: 'BILLING_CONTEXT_DENIED', code: 'PERMISSION_DENIED' }),
    );
  },
);

test('the refusal contains the sent value, cut if it is long, and not the token’s organisation', () => {
  expect(() => checkBillingContext(CALLER, 'x'.repeat(100_000))).toThrow(
    expect.objectContaining({
      message: `The billing context '${'x'.repeat(80)}…' is not the organisation of the token.`,
      hint: 'Send the id of the organisation that the token was issued to.',
    }),
  );
});
