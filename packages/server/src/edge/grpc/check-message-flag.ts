import { type ServerInterceptingCallInterface, status as STATUS_CODES } from '@grpc/grpc-js';

/** The details of the status of a message that is flagged as compressed without a coding. */
export const FLAG_WITHOUT_CODING = 'Compressed flag without a coding';
/** The status details for a message whose flag is neither 0 nor 1. */
export const UNKNOWN_FLAG = 'Unknown flag of a message';

/**
 * Checks the flag of each message. grpc-js treats a message that is flagged as compressed as a plain one if
 * no coding is named, and ignores flags other than 1.
 */
export function checkMessageFlag(call: ServerInterceptingCallInterface): void {
  // The call of the first interceptor has this member, though its type does not say so.
  const inside = call as unknown as Decompressing;
  const decompress = inside.decompressMessage.bind(call);
  inside.decompressMessage = async (message, coding) => {
    const [flag = 0] = message;
    if (flag === 1 && coding === 'identity') {
      throw { code: STATUS_CODES.INTERNAL, details: FLAG_WITHOUT_CODING };
    }
    if (flag > 1) throw { code: STATUS_CODES.INTERNAL, details: UNKNOWN_FLAG };
    return decompress(message, coding);
  };
}

/** An object that it throws becomes the status of the call. */
type Decompressing = {
  decompressMessage: (message: Buffer, coding: string) => Buffer | Promise<Buffer>;
};
