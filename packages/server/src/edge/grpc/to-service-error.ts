import { type ServerInterceptingCallInterface, status as STATUS_CODES } from '@grpc/grpc-js';
import { ServiceError } from '../../domain/service-error.ts';
import { sizeText } from '../../domain/size-text.ts';
import { FLAG_WITHOUT_CODING, UNKNOWN_FLAG } from './check-message-flag.ts';
import type { GrpcLimits } from './grpc-limits.ts';
import { DETAILS_KEY } from './to-status.ts';

/**
 * Converts a status with which grpc-js itself ends a call to a ServiceError. Undefined for a status that is not
 * an error, that already comes from a ServiceError, or that needs no explanation.
 */
export function toServiceError(
  status: GrpcStatus,
  { messageMaxBytes }: Pick<GrpcLimits, 'messageMaxBytes'>,
): ServiceError | undefined {
  if (status.code === STATUS_CODES.OK || hasDetails(status)) return undefined;
  switch (status.code) {
    case STATUS_CODES.RESOURCE_EXHAUSTED:
      return new ServiceError(
        'BODY_TOO_LARGE',
        `The message is larger than ${sizeText(messageMaxBytes)}.`,
        {
          hint: 'Split a long list of values over several requests.',
        },
      );
    case STATUS_CODES.DEADLINE_EXCEEDED:
      return new ServiceError('DEADLINE_EXCEEDED', 'The deadline of the call has passed.', {
        hint: 'Give it more time, narrow the filters, or ask for fewer records.',
      });
    case STATUS_CODES.INTERNAL:
    case STATUS_CODES.UNKNOWN:
      return toReadingError(status.details ?? '');
    default:
      return undefined;
  }
}

type GrpcStatus = Parameters<ServerInterceptingCallInterface['sendStatus']>[0];

function hasDetails({ metadata }: GrpcStatus): boolean {
  return (metadata?.get(DETAILS_KEY).length ?? 0) > 0;
}

/** grpc-js reports unreadable messages as internal errors. Only the text of the error distinguishes them. */
function toReadingError(details: string): ServiceError {
  if (details === FLAG_WITHOUT_CODING) {
    return new ServiceError(
      'COMPRESSION_NOT_NAMED',
      'The message is flagged as compressed, but no encoding is named.',
      { hint: 'Name it in grpc-encoding, or send the message uncompressed.' },
    );
  }
  if (details === UNKNOWN_FLAG) {
    return new ServiceError('MALFORMED_MESSAGE', 'The message has a flag other than 0 and 1.', {
      hint: 'Send a length-prefixed message as gRPC defines it; a gRPC library does.',
    });
  }
  if (details.startsWith('Failed to decompress')) {
    return new ServiceError('MALFORMED_MESSAGE', 'The message could not be decompressed.', {
      hint: 'Send it without compression.',
    });
  }
  return ServiceError.from(new Error(details));
}
