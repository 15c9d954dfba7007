import { statfsSync } from 'node:fs';
import type { StoreFollower } from '@locmetrics/cluster/control/follow-store';
import { isLoopback } from '@locmetrics/core/network/is-loopback';
import { authenticate } from '@locmetrics/server/auth/authenticate';
import { checkScope } from '@locmetrics/server/auth/check-scope';
import type { ControlStore } from '@locmetrics/server/auth/control-store';
import { certificateExpiryMs } from '@locmetrics/server/edge/listening/tls/certificate-expiry';
import type { CertificateSource } from '@locmetrics/server/edge/listening/tls/certificate-source';
import type { UsageMerger } from '@locmetrics/server/metering/usage-merger';
import type { MetricTotals } from '@locmetrics/server/observe/metric-totals';
import type { Observe } from '@locmetrics/server/observe/observation';
import { observeAll } from '@locmetrics/server/observe/observe-all';
import { notReady } from '@locmetrics/server/service/readiness';
import { readBuildInfo } from '../compose/build-info.ts';
import type { Address } from '../config/listen-address.ts';
import type { Config } from '../config/settings.ts';
import type { WorkerPool } from '../processes/open-worker-pool.ts';
import { hostNamesOf } from './host-names.ts';

/** The metrics of the service: the sums over the primary and its workers. */
export type Sight = {
  readonly observe: Observe;
  readonly totals: Pick<MetricTotals, 'keep' | 'end'>;
  /** Serves the metrics, if they are on, and returns their URL. */
  readonly listen: (watched: Watched) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
};

export type Watched = {
  readonly pool: Pick<WorkerPool, 'scrapes' | 'readyCount' | 'notReady'>;
  readonly certificate: CertificateSource | undefined;
  readonly usage: Pick<UsageMerger, 'lagMs'>;
  /** Absent for a control store that this service has alone. */
  readonly follower: Pick<StoreFollower, 'lagMs'> | undefined;
};

/** The disk with the data directory. */
function readDisk(data: string): { readonly freeBytes: number; readonly sizeBytes: number } {
  const { bavail, blocks, bsize } = statfsSync(data);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}

const NO_TOTALS: Sight['totals'] = { keep: () => {}, end: () => {} };

/** The libraries of the metrics are loaded only if metrics are on. */
export async function openSight(
  config: Config,
  {
    version,
    log,
    store,
  }: {
    readonly version: string;
    readonly log: Observe;
    readonly store: Pick<ControlStore, 'findCaller'>;
  },
): Promise<Sight> {
  const { metrics: address, https, grpc, data } = config;
  if (address === undefined) {
    const nothing = async () => undefined;
    return { observe: log, totals: NO_TOTALS, listen: nothing, close: nothing };
  }
  const [{ openMetrics }, { openMetricTotals }, { openMetricsServer }] = await Promise.all([
    import('@locmetrics/server/observe/open-metrics'),
    import('@locmetrics/server/observe/metric-totals'),
    import('@locmetrics/server/edge/http/server/open-metrics-server'),
  ]);
  const metrics = openMetrics({ version });
  const observe = observeAll(log, metrics.observe);
  const totals = openMetricTotals({ observe });
  let close = async (): Promise<void> => {};
  return {
    observe,
    totals,
    listen: async ({ pool, certificate, usage, follower }) => {
      const expiry = expiryOf(certificate, { https, grpc });
      const server = await openMetricsServer({
        ...address,
        build: readBuildInfo(),
        hosts: hostNamesOf(config),
        collect: () =>
          totals.collect({
            own: () =>
              metrics.snapshot({
                certificateExpiry: expiry,
                workersRunning: pool.readyCount,
                usageMergeLagMs: usage.lagMs,
                disk: () => readDisk(data),
                ...(follower === undefined ? {} : { controlLagMs: follower.lagMs }),
                // Without a ready worker there is none to report readiness.
                isReady: pool.notReady() === undefined ? undefined : () => false,
              }),
            workers: pool.scrapes(),
          }),
        checkReady: async () => {
          const reason = pool.notReady();
          if (reason !== undefined) throw notReady(reason);
        },
        // Programs on this machine need no token; others need one with the scope.
        ...(isLoopback(address.host)
          ? {}
          : {
              authorize: (authorization) =>
                checkScope(authenticate(authorization, store), 'operate'),
            }),
        observe,
      });
      close = server.close;
      return server.url;
    },
    close: async () => {
      await close();
      metrics.close();
    },
  };
}

/** By the listener that uses the certificate. */
function expiryOf(
  certificate: CertificateSource | undefined,
  listeners: Readonly<Record<'https' | 'grpc', Address | undefined>>,
): Readonly<Record<string, () => number>> {
  if (certificate === undefined) return {};
  const open = Object.entries(listeners).filter(([, address]) => address !== undefined);
  return Object.fromEntries(open.map(([name]) => [name, () => certificateExpiryMs(certificate)]));
}
