import type { Caller } from '../domain/caller.ts';
import { resourceOf, type UsageRecord } from '../domain/usage-record.ts';
import type { Ledger } from '../metering/ledger.ts';
import type { Admission, LimitKeeper } from '../metering/limit-keeper.ts';

/** Counts requests: by the limits of their organisation before they are answered, by what is sent then. */
export type Meter = {
  /** Lets a request through, or refuses it with a ServiceError. */
  readonly admit: (request: {
    readonly caller: Caller;
    readonly requestId: string;
    readonly signal: AbortSignal;
  }) => Promise<MeteredRequest>;
};

export type MeteredRequest = Pick<Admission, 'end' | 'headers'> & {
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
      const { charge, end, headers } = await limits.admit(caller, signal);
      return {
        end,
        headers,
        complete: async ({ operation, request, rows, bytes }) => {
          await charge(rows);
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
        },
      };
    },
  };
}
