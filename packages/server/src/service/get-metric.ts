import { checkBillingContext } from '../auth/billing-context.ts';
import type { MetricExtent } from '../domain/metric-extent.ts';
import type { MetricRequest } from '../domain/metric-request.ts';
import type { MetricVersion } from '../domain/version.ts';
import { findMetric } from './find-in-catalog.ts';
import { runUntilDeadline } from './run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** The current version of a metric, with the extent of its values. */
export type MetricDescription = {
  readonly version: MetricVersion;
  readonly extent: MetricExtent;
};

/** Gets one metric. Its report (SearchMetricReport) has the same extent. */
export async function getMetric(
  context: ServiceContext,
  request: MetricRequest,
  call: Call,
): Promise<MetricDescription> {
  checkBillingContext(call.caller, request.billingContext);
  const version = findMetric(context.catalogFor(call.caller).snapshot(), request);
  const extent = context.extents.known(version);
  if (extent !== undefined) return { version, extent };
  return runUntilDeadline(
    { callerSignal: call.signal, timeoutMs: context.queryTimeoutMs },
    async (signal) => ({ version, extent: await context.extents.read(version, signal) }),
  );
}
