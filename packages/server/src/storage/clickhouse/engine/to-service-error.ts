import { ServiceError } from '../../../domain/service-error.ts';
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
      return new ServiceError('OVERLOADED', 'The database has no room for the query.', {
        hint: 'Try again after a second.',
        cause: error,
      });
    default:
      return error;
  }
}

/** The numbers of errors, from `src/Common/ErrorCodes.cpp` of ClickHouse. */
const CODES = {
  unknownTable: 60,
  unknownDatabase: 81,
  tooManyRows: 158,
  timeoutExceeded: 159,
  tooManySimultaneousQueries: 202,
  memoryLimitExceeded: 241,
  tooManyBytes: 307,
} as const;
