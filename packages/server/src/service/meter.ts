import type { Caller } from '@locmetrics/core/domain/caller';
import { resourceOf, type UsageRecord } from '@locmetrics/core/domain/usage-record';
import type { Ledger } from '../metering/ledger.ts';
import type {
  Abortable,
  Admission,
  LimitHeaders,
  LimitKeeper,
  Refund,
} from '../metering/limit-keeper.ts';
import {
  openViewingLimits,
  type ViewedLimits,
  type ViewedRows,
} from '../metering/open-viewing-limits.ts';
import { viewedOperation } from '../metering/viewing.ts';
import type { AnswerLimit } from './queries/answer-limit.ts';

/** Checks requests against the limits of their organisation, and records the usage of their answers. */
export type Meter = {
  /** Admits a request, or refuses it with a ServiceError. A promise if the primary must be asked for its limits. */
  readonly admit: (request: {
    readonly caller: Caller;
    readonly requestId: string;
    readonly signal: Abortable;
    /** Whether it says that its caller looks at the data; see `viewing.ts`. Default: no. */
    readonly isViewing?: boolean;
  }) => MeteredRequest | Promise<MeteredRequest>;
  /**
   * Opens the usage of work that goes on after its request was answered, as `MeteredRequest` does. The request was
   * counted: none of its records counts as one.
   */
  readonly openJob: (
    job: { readonly caller: Caller; readonly requestId: string },
    totalRows: number,
  ) => Promise<MeteredPieces>;
  /**
   * Header fields with the remaining limits, for every answer to the caller, refusals included. A caller that looks also
   * learns what it may look at.
   */
  readonly headers: (caller: Caller, isViewing?: boolean) => LimitHeaders;
  /** How many rows the organisation of a caller may look at besides its limits; undefined: nothing is counted apart. */
  readonly viewedLimits: (caller: Caller) => ViewedLimits | undefined;
};

export type MeteredRequest = Pick<Admission, 'end'> & {
  /** Resolves when the answer may be sent. It is called once, before the first byte is sent. */
  readonly complete: (answer: AnswerUsage) => Promise<void>;
  /**
   * Opens the usage of an answer that is sent in pieces. If their number of rows is known, all are charged before this
   * resolves, so that an answer that exceeds a limit is refused as a whole. Otherwise each piece is charged as it is
   * sent.
   */
  readonly openPieces: (totalRows: number | undefined) => Promise<MeteredPieces>;
};

export type MeteredPieces = {
  /** Resolves when the piece may be sent. */
  readonly add: (piece: AnswerUsage) => Promise<void>;
  /** Refunds what was charged and not sent. Call it once. */
  readonly end: () => void;
};

export type AnswerUsage = {
  readonly operation: string;
  /** The parsed request. */
  readonly request: object;
  readonly rows: number;
  readonly bytes: number;
};

/**
 * Answers count as unsent while their usage is recorded: by then they have left their slot of the answer limit,
 * and the edge counts them only when it starts to send.
 */
export function createMeter({
  ledger,
  limits,
  answers = NOT_COUNTED,
  viewedRows,
}: {
  readonly ledger: Ledger;
  readonly limits: LimitKeeper;
  readonly answers?: Pick<AnswerLimit, 'holdUnsent'>;
  /** The rows that an organisation may look at in a day besides its limits; see `openViewingLimits`. */
  readonly viewedRows?: ViewedRows;
}): Meter {
  const viewing = openViewingLimits(limits, viewedRows);
  return {
    admit: ({ caller, requestId, signal, isViewing = false }) => {
      const meteredOf = ({ charge, end }: Admission): MeteredRequest => {
        const metering: Metering = { ledger, answers, caller, requestId, charge };
        return {
          end,
          complete: (answer) => chargeAndRecord(metering, answer),
          // Whole results are more than a look.
          openPieces: (totalRows) => openPieces(metering, totalRows),
        };
      };
      const viewedOf = async (admission: Admission): Promise<MeteredRequest> => {
        const metered = meteredOf(admission);
        try {
          const charge = await viewing.admit(caller, signal);
          if (charge === undefined) return metered;
          const metering: Metering = { ledger, answers, caller, requestId, charge };
          return {
            ...metered,
            complete: (answer) =>
              chargeAndRecord(metering, {
                ...answer,
                operation: viewedOperation(answer.operation),
              }),
          };
        } catch (error) {
          metered.end();
          throw error;
        }
      };
      const open = isViewing ? viewedOf : meteredOf;
      const admission = limits.admit(caller, signal);
      return admission instanceof Promise ? admission.then(open) : open(admission);
    },
    openJob: ({ caller, requestId }, totalRows) => {
      const charge: Metering['charge'] = (rows) => limits.charge(caller, rows);
      const metering: Metering = { ledger, answers: NOT_COUNTED, caller, requestId, charge };
      return openPieces(metering, totalRows, true);
    },
    headers: (caller, isViewing = false) => {
      const own = limits.headers(caller);
      return isViewing ? viewing.addHeaders(caller, own) : own;
    },
    viewedLimits: viewing.limitsOf,
  };
}

type Metering = Pick<Admission, 'charge'> & {
  readonly ledger: Ledger;
  readonly answers: Pick<AnswerLimit, 'holdUnsent'>;
  readonly caller: Caller;
  readonly requestId: string;
};

async function chargeAndRecord(
  metering: Metering,
  usage: AnswerUsage,
  isContinued = false,
): Promise<void> {
  const release = metering.answers.holdUnsent(usage.bytes);
  let refund: Refund | undefined;
  try {
    refund = await metering.charge(usage.rows);
    await record(metering, usage, isContinued);
  } catch (error) {
    refund?.();
    throw error;
  } finally {
    // By then the edge has started to send it.
    setImmediate(release);
  }
}

function record(
  { ledger, caller: { organisationId, tokenId }, requestId }: Metering,
  { operation, request, rows, bytes }: AnswerUsage,
  isContinued: boolean,
): Promise<void> {
  const usage: UsageRecord = {
    time: Date.now(),
    organisationId,
    tokenId,
    operation,
    resource: resourceOf(request),
    rows,
    bytes,
    requestId,
  };
  return ledger.record(isContinued ? { ...usage, isContinued } : usage);
}

async function openPieces(
  metering: Metering,
  totalRows: number | undefined,
  isCounted = false,
): Promise<MeteredPieces> {
  const refund = totalRows === undefined ? undefined : await metering.charge(totalRows);
  let unsentRows = totalRows ?? 0;
  let isContinued = isCounted;
  return {
    add: async (piece) => {
      await (refund === undefined ? chargeAndRecord : record)(metering, piece, isContinued);
      isContinued = true;
      unsentRows -= piece.rows;
    },
    end: () => {
      if (unsentRows > 0) refund?.(unsentRows);
    },
  };
}

const NOT_COUNTED: Pick<AnswerLimit, 'holdUnsent'> = { holdUnsent: () => () => {} };
