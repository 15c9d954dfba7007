import { ControlError } from '@locmetrics/core/errors/control-error';
import type { ControlStore } from '@locmetrics/server/auth/control-store';

/** Until when a mirror counts as fresh. Times are those of `machineMs`. */
export type Freshness = {
  /** An earlier time than before changes nothing. */
  readonly extend: (untilMs: number) => void;
  /** Throws a ControlError CONTROL_STORE_AWAY if the mirror is not fresh. */
  readonly check: () => void;
};

/** It is not fresh before it is extended. */
export function openFreshness(clock: () => number = () => performance.now()): Freshness {
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    extend: (machineUntilMs) => {
      untilMs = Math.max(untilMs, clock() + machineUntilMs - machineMs());
    },
    check: () => {
      if (clock() > untilMs) throw mirrorOutdated();
    },
  };
}

/** A time that all processes of the machine share, whatever happens to its clock. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A store that refuses all tokens while its mirror is not fresh: they may have been revoked. */
export function refuseUnlessFresh<
  Store extends Pick<ControlStore, 'findCaller' | 'pollCallers' | 'findCallerById'>,
>(store: Store, { check }: Pick<Freshness, 'check'>): Store {
  return {
    ...store,
    findCaller: (tokenText) => {
      check();
      return store.findCaller(tokenText);
    },
    pollCallers: () => {
      check();
      return store.pollCallers();
    },
    findCallerById: (tokenId) => {
      check();
      return store.findCallerById(tokenId);
    },
  };
}

function mirrorOutdated(): ControlError {
  return new ControlError(
    'The database of --control has not been reached for longer than --control-away-max.',
    'The log says why. Requests are answered again as soon as it is reached.',
    {
      reason: 'CONTROL_STORE_AWAY',
      forCallers: {
        message:
          'The service cannot check tokens: it cannot reach the database that its nodes share.',
        hint: 'Try again later. If the error persists, report it to the operator of the service.',
      },
    },
  );
}
