/**
 * Parameters of fast-check for a test with this time limit: a failure is reported before the test times out, however
 * long it takes to find a smaller one.
 */
export function untilTimeout(timeoutMs: number) {
  return { interruptAfterTimeLimit: timeoutMs - 20_000, markInterruptAsFailure: true };
}
