import { ControlError } from '../auth/control-error.ts';
import type { ControlStore } from '../auth/control-store.ts';
import { createTokenText } from '../auth/token-text.ts';
import type { Catalog } from '../catalog/open-catalog.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { OpenLedger } from '../metering/open-ledger.ts';
import type { Observe } from '../observe/observation.ts';
import type { Engine } from '../storage/engine.ts';

/** Whether requests can be served, for those who ask on behalf of a load balancer. */
export type Readiness = {
  /** Throws a ServiceError with NOT_READY that says what does not answer. */
  readonly check: () => Promise<void>;
  /** What was found last; where that is older than a second, it is looked again meanwhile. */
  readonly isReady: () => boolean;
  /** From now on nothing is ready. */
  readonly stop: () => void;
};

/** What was found serves everyone who asks within this time, so that asking costs nothing. */
const LOOK_EVERY_MS = 1000;

/** Looks for the first time before it returns. */
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
    // As requests ask it, for a token that nobody has.
    'control store': () => store.findCaller(createTokenText()),
    engine: () => engine.status?.probe(),
    'usage ledger': ledger.check,
  };
  let failing: readonly Failure[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let isStopping = false;

  const look = async (): Promise<void> => {
    const found = await Promise.all(CHECKS.map((check) => findFailure(check, checks[check])));
    const failures = found.filter((failure) => failure !== undefined);
    const wasReady = failing.length === 0;
    failing = failures;
    lookedAt = clock();
    const isReady = failing.length === 0;
    if (isReady !== wasReady) observe({ kind: 'readiness_changed', isReady, failing: failures });
  };
  const refresh = (): Promise<void> | undefined => {
    if (clock() - lookedAt < LOOK_EVERY_MS) return undefined;
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
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

/** What does not answer, and why, where that is more than the log is to be told. */
function describe(failing: readonly Failure[]): string {
  const reasons = failing.map(({ error }) => {
    const told = error instanceof ControlError ? error.toServiceError() : error;
    return told instanceof ServiceError && told.reason !== 'INTERNAL' ? ` ${told.message}` : '';
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

/** The refusal of who asks whether requests can be served. */
export function notReady(message: string): ServiceError {
  return new ServiceError('NOT_READY', message, {
    hint: 'Try again after a second; the log says why.',
  });
}
