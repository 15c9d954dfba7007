import { type ServerInterceptingCallInterface, status as STATUS_CODES } from '@grpc/grpc-js';

/** The details of the status of a message whose flag says more than its coding. */
export const FLAG_WITHOUT_CODING = 'Compressed flag without a coding';
/** The details of the status of a message whose flag is neither 0 nor 1. */
export const UNKNOWN_FLAG = 'Unknown flag of a message';

/**
 * Has grpc-js look at the flag of each message. It takes a compressed message for a plain one where no
 * coding is named, and ignores flags other than 1.
 */
export function checkMessageFlag(call: ServerInterceptingCallInterface): void {
  // The call that the first interceptor is given has it, though its type does not say so.
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

/** What is thrown ends the call as its status. */
type Decompressing = {
  decompressMessage: (message: Buffer, coding: string) => Buffer | Promise<Buffer>;
};
