import { ServiceError } from '@locmetrics/core/errors/service-error';
import { ClickhouseError } from '../clickhouse-driver.ts';

/** The error that callers get for one of ClickHouse. Any other error is returned unchanged: a bug. */
export function toServiceError(error: unknown): unknown {
  if (!(error instanceof ClickhouseError)) return error;
  switch (error.code) {
    case CODES.unknownTable:
    case CODES.unknownDatabase:
      return new ServiceError('VERSION_NOT_FOUND', 'The data of this version are no longer kept.', {
        hint: 'Leave asOf out to read the current version.',
        cause: error,
      });
    case CODES.timeoutExceeded:
      return new ServiceError(
        'DEADLINE_EXCEEDED',
        'The database stopped the query at its time limit.',
        {
          hint: 'Narrow the filters, or ask for fewer records.',
          cause: error,
        },
      );
    case CODES.tooManyRows:
    case CODES.tooManyBytes:
      return new ServiceError(
        'DEADLINE_EXCEEDED',
        'The query reads more rows than the database allows.',
        {
          hint: 'Narrow the filters, or ask for fewer records.',
          cause: error,
        },
      );
    case CODES.memoryLimitExceeded:
    case CODES.tooManySimultaneousQueries:
      return new ServiceError('OVERLOADED', 'The database has no capacity for the query.', {
        hint: 'Try again after a second.',
        cause: error,
      });
    case CODES.socketTimeout:
    case CODES.networkError:
    case CODES.allConnectionTriesFailed:
    case CODES.allReplicasAreStale:
    case CODES.attemptToReadAfterEnd:
    case CODES.cannotReadFromSocket:
    case CODES.cannotWriteToSocket:
    case CODES.unknownHost:
      return new ServiceError(
        'NOT_READY',
        'A server of the database does not answer, so some of the records cannot be read.',
        {
          hint: 'Try again in a few seconds. If the error persists, the operator of the database must restart the server.',
          cause: error,
        },
      );
    default:
      return error;
  }
}

/** The numbers of errors, from `src/Common/ErrorCodes.cpp` of ClickHouse. */
const CODES = {
  attemptToReadAfterEnd: 32,
  unknownTable: 60,
  unknownDatabase: 81,
  cannotReadFromSocket: 95,
  cannotWriteToSocket: 96,
  tooManyRows: 158,
  timeoutExceeded: 159,
  unknownHost: 198,
  tooManySimultaneousQueries: 202,
  socketTimeout: 209,
  networkError: 210,
  memoryLimitExceeded: 241,
  allConnectionTriesFailed: 279,
  tooManyBytes: 307,
  allReplicasAreStale: 369,
} as const;
