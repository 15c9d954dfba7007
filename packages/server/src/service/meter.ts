import type { Caller } from '../domain/caller.ts';
import { resourceOf, type UsageRecord } from '../domain/usage-record.ts';
import type { Ledger } from '../metering/ledger.ts';
import type { Admission, LimitHeaders, LimitKeeper } from '../metering/limit-keeper.ts';
import type { AnswerLimit } from './answer-limit.ts';

/** Counts requests: by the limits of their organisation before they are answered, by what is sent then. */
export type Meter = {
  /** Lets a request through, or refuses it with a ServiceError. */
  readonly admit: (request: {
    readonly caller: Caller;
    readonly requestId: string;
    readonly signal: AbortSignal;
  }) => Promise<MeteredRequest>;
  /** Fields for every answer to the caller, those that refuse it too: what is left of its limits. */
  readonly headers: (caller: Caller) => LimitHeaders;
};

export type MeteredRequest = Pick<Admission, 'end'> & {
  /** Resolves when the answer may be sent. To be called once, before its first byte is. */
  readonly complete: (answer: {
    readonly operation: string;
    /** What was asked for. */
    readonly request: object;
    readonly rows: number;
    readonly bytes: number;
  }) => Promise<void>;
};

export function createMeter({
  ledger,
  limits,
}: {
  readonly ledger: Ledger;
  readonly limits: LimitKeeper;
}): Meter {
  return {
    admit: async ({ caller, requestId, signal }) => {
      const { charge, end } = await limits.admit(caller, signal);
      return {
        end,
        complete: async ({ operation, request, rows, bytes }) => {
          const putBack = await charge(rows);
          const { organisationId, tokenId } = caller;
          const record: UsageRecord = {
            time: Date.now(),
            organisationId,
            tokenId,
            operation,
            resource: resourceOf(request),
            rows,
            bytes,
            requestId,
          };
          try {
            await ledger.record(record);
          } catch (error) {
            putBack();
            throw error;
          }
        },
      };
    },
    headers: limits.headers,
  };
}

/**
 * Counts answers as unsent while they are recorded: they have left their place in the line by then, and
 * the edge counts them only when it sends them.
 */
export function holdWhileRecorded(meter: Meter, answers: Pick<AnswerLimit, 'holdUnsent'>): Meter {
  return {
    ...meter,
    admit: async (request) => {
      const metered = await meter.admit(request);
      return {
        ...metered,
        complete: async (answer) => {
          const release = answers.holdUnsent(answer.bytes);
          try {
            await metered.complete(answer);
          } finally {
            // The edge has begun to send it by then.
            setImmediate(release);
          }
        },
      };
    },
  };
}
