import { ControlError } from '@locmetrics/core/errors/control-error';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { Engine } from '@locmetrics/core/storage/engine';
import type { Catalog } from '@locmetrics/data-directory/versions/open-catalog';
import type { ControlStore } from '../auth/control-store.ts';
import { createTokenText } from '../auth/token-text.ts';
import type { OpenLedger } from '../metering/open-ledger.ts';
import type { Observe } from '../observe/observation.ts';

/** Whether requests can be served, for the health checks of a load balancer. */
export type Readiness = {
  /** Throws a ServiceError NOT_READY that names the checks that failed. */
  readonly check: () => Promise<void>;
  /** The latest result. If it is older than a second, a new check starts in the background. */
  readonly isReady: () => boolean;
  /** Reports not ready from now on. */
  readonly stop: () => void;
};

/** A result is cached for this long, so that frequent health checks are cheap. */
const POLL_EVERY_MS = 1000;

/** Runs the first check before it returns. */
export async function openReadiness({
  catalog,
  store,
  engine,
  ledger,
  observe,
  clock = () => performance.now(),
}: {
  readonly catalog: Pick<Catalog, 'snapshot'>;
  readonly store: Pick<ControlStore, 'findCaller'>;
  readonly engine: Pick<Engine, 'status'>;
  readonly ledger: Pick<OpenLedger, 'check'>;
  readonly observe: Observe;
  readonly clock?: () => number;
}): Promise<Readiness> {
  const checks: Readonly<Record<Check, () => unknown>> = {
    catalog: () => catalog.snapshot(),
    // The same query as for a request, with a token that does not exist.
    'control store': () => store.findCaller(createTokenText()),
    engine: () => engine.status?.probe(),
    'usage ledger': ledger.check,
  };
  let failing: readonly Failure[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  let polling: Promise<void> | undefined;
  let isStopping = false;

  const poll = async (): Promise<void> => {
    const found = await Promise.all(CHECKS.map((check) => findFailure(check, checks[check])));
    const failures = found.filter((failure) => failure !== undefined);
    const wasReady = failing.length === 0;
    failing = failures;
    lookedAt = clock();
    const isReady = failing.length === 0;
    if (isReady !== wasReady) observe({ kind: 'readiness_changed', isReady, failing: failures });
  };
  const refresh = (): Promise<void> | undefined => {
    if (clock() - lookedAt < POLL_EVERY_MS) return undefined;
    polling ??= poll().finally(() => {
      polling = undefined;
    });
    return polling;
  };

  await refresh();
  return {
    check: async () => {
      if (!isStopping) await refresh();
      if (isStopping) throw notReady('The service is stopping.');
      if (failing.length > 0) throw notReady(describe(failing));
    },
    isReady: () => {
      if (!isStopping) void refresh();
      return !isStopping && failing.length === 0;
    },
    stop: () => {
      isStopping = true;
    },
  };
}

const CHECKS = ['catalog', 'control store', 'engine', 'usage ledger'] as const;
type Check = (typeof CHECKS)[number];

type Failure = { readonly check: Check; readonly error: unknown };

/** Names the checks that failed, with the reasons that callers may see; the log has all of them. */
function describe(failing: readonly Failure[]): string {
  const reasons = failing.map(({ error }) => {
    const known = error instanceof ControlError ? error.toServiceError() : error;
    return known instanceof ServiceError && known.reason !== 'INTERNAL' ? ` ${known.message}` : '';
  });
  const names = failing.map(({ check }) => check).join(', the ');
  return `Not answering: the ${names}.${reasons.join('')}`;
}

async function findFailure(check: Check, run: () => unknown): Promise<Failure | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return { check, error };
  }
}

/** The error of a failed health check. */
export function notReady(message: string): ServiceError {
  return new ServiceError('NOT_READY', message, {
    hint: 'Try again after a second; the log says why.',
  });
}
