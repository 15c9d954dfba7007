import type { Caller } from '@locmetrics/core/domain/caller';
import { createRights, type OrganisationLimits } from '@locmetrics/core/domain/rights';
import { DEFAULT_SCOPES } from '@locmetrics/core/domain/scope';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { Admission } from '@locmetrics/server/metering/limit-keeper';
import type { LimitLine, LimitQuestion } from '@locmetrics/server/metering/limit-messages';
import {
  type EndingLimitLine,
  openLimitAuthority,
  type ReadUsedRows,
} from '@locmetrics/server/metering/open-limit-authority';
import {
  type ClosingLimitKeeper,
  openLimitKeeper,
} from '@locmetrics/server/metering/open-limit-keeper';
import type { Observation } from '@locmetrics/server/observe/observation';

/** 2026-11-30, the last day of a month, at 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 30, 12);

/** An authority and processes that use it, with a clock that the test moves. */
export type Limits = {
  readonly passMs: (ms: number) => void;
  readonly observed: readonly Observation[];
  readonly openProcess: () => LimitedProcess;
};

export type LimitedProcess = {
  readonly keeper: ClosingLimitKeeper;
  /** The questions of the process so far. */
  readonly questions: readonly LimitQuestion[];
  /** Ends the process without a message, like a kill. */
  readonly kill: () => void;
};

export function openLimits(
  readUsedRows: ReadUsedRows = async () => ({ day: 0, month: 0 }),
  wrap: (line: EndingLimitLine) => LimitLine = (line) => line,
): Limits {
  let passedMs = 0;
  const clock = { timeMs: () => NOON + passedMs, nowMs: () => passedMs };
  const observed: Observation[] = [];
  const observe = (observation: Observation): void => void observed.push(observation);
  const authority = openLimitAuthority({ readUsedRows, observe, clock });
  return {
    observed,
    passMs: (ms) => {
      passedMs += ms;
    },
    openProcess: () => {
      const line = authority.openLine();
      const { ask, giveBack, onRecall } = wrap(line);
      const questions: LimitQuestion[] = [];
      const keeper = openLimitKeeper({
        clock,
        answerTimeoutMs: 400,
        line: {
          giveBack,
          onRecall,
          ask: (question) => {
            questions.push(question);
            return ask(question);
          },
        },
      });
      return { keeper, questions, kill: line.end };
    },
  };
}

export function callerWith(limits: OrganisationLimits, organisationId = 'acme'): Caller {
  const rights = createRights({ organisationId, grants: [], limits });
  return { organisationId, tokenId: 'token', scopes: DEFAULT_SCOPES, rights };
}

/** The error of a refused request, or the admission of an allowed one. */
export async function admit(
  { keeper }: LimitedProcess,
  caller: Caller,
): Promise<Admission | ServiceError> {
  return orRefusal(keeper.admit(caller, NEVER));
}

export async function isAdmitted(process: LimitedProcess, caller: Caller): Promise<boolean> {
  return !((await admit(process, caller)) instanceof ServiceError);
}

/** Answers a request with this number of rows. Returns undefined if it succeeds, otherwise the error. */
export async function answer(
  { keeper }: LimitedProcess,
  caller: Caller,
  rows: number,
): Promise<ServiceError | undefined> {
  const answered = async (): Promise<undefined> => {
    const { charge, end } = await keeper.admit(caller, NEVER);
    try {
      await charge(rows);
    } finally {
      end();
    }
  };
  return orRefusal(answered());
}

export function headersOf(
  { keeper }: LimitedProcess,
  caller: Caller,
): Readonly<Record<string, string>> {
  return Object.fromEntries(keeper.headers(caller));
}

const NEVER = new AbortController().signal;

async function orRefusal<Result>(work: Promise<Result>): Promise<Result | ServiceError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
