import type { Caller } from '@locmetrics/core/domain/caller';
import { resourceOf, type UsageRecord } from '@locmetrics/core/domain/usage-record';
import type { Ledger } from '../metering/ledger.ts';
import type { Abortable, Admission, LimitHeaders, LimitKeeper } from '../metering/limit-keeper.ts';
import type { AnswerLimit } from './answer-limit.ts';

/** Checks requests against the limits of their organisation, and records the usage of their answers. */
export type Meter = {
  /** Admits a request, or refuses it with a ServiceError. */
  readonly admit: (request: {
    readonly caller: Caller;
    readonly requestId: string;
    readonly signal: Abortable;
  }) => Promise<MeteredRequest>;
  /** Header fields with the remaining limits, for every answer to the caller, refusals included. */
  readonly headers: (caller: Caller) => LimitHeaders;
};

export type MeteredRequest = Pick<Admission, 'end'> & {
  /** Resolves when the answer may be sent. It is called once, before the first byte is sent. */
  readonly complete: (answer: {
    readonly operation: string;
    /** The parsed request. */
    readonly request: object;
    readonly rows: number;
    readonly bytes: number;
  }) => Promise<void>;
};

/**
 * Answers count as unsent while their usage is recorded: by then they have left their slot of the answer limit,
 * and the edge counts them only when it starts to send.
 */
export function createMeter({
  ledger,
  limits,
  answers = NOT_COUNTED,
}: {
  readonly ledger: Ledger;
  readonly limits: LimitKeeper;
  readonly answers?: Pick<AnswerLimit, 'holdUnsent'>;
}): Meter {
  return {
    admit: async ({ caller, requestId, signal }) => {
      const { charge, end } = await limits.admit(caller, signal);
      return {
        end,
        complete: async ({ operation, request, rows, bytes }) => {
          const release = answers.holdUnsent(bytes);
          let putBack: (() => void) | undefined;
          try {
            putBack = await charge(rows);
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
            await ledger.record(record);
          } catch (error) {
            putBack?.();
            throw error;
          } finally {
            // By then the edge has started to send it.
            setImmediate(release);
          }
        },
      };
    },
    headers: limits.headers,
  };
}

const NOT_COUNTED: Pick<AnswerLimit, 'holdUnsent'> = { holdUnsent: () => () => {} };
