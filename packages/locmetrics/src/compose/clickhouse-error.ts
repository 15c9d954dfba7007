import { ClickhouseError } from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { DatabaseError } from '@locmetrics/data-directory/versions/version-database';
import type { ClickhouseAddress } from '../config/setting-types.ts';

export function nameOf({ url, database }: ClickhouseAddress): string {
  return `ClickHouse at ${new URL(url).host}/${database}`;
}

/** The error for the operator: with what the database said, and what to do. */
export function toDatabaseError(error: unknown, name: string): unknown {
  if (error instanceof ServiceError && error.reason === 'NOT_READY') {
    const cause = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    return new DatabaseError(
      `${name} does not answer.${cause}`,
      'Check --clickhouse, and that the database is running. Then try again: the load resumes where it stopped.',
      { cause: error },
    );
  }
  if (!(error instanceof ClickhouseError)) return error;
  return new DatabaseError(`${name} refused: ${error.message}`, hintOf(error), { cause: error });
}

function hintOf({ code }: ClickhouseError): string {
  switch (code) {
    case CODES.unknownDatabase:
      return 'Create the database with CREATE DATABASE, or name another one in --clickhouse.';
    case CODES.authenticationFailed:
      return 'Check the user in --clickhouse and the password in LOCMETRICS_CLICKHOUSE_PASSWORD.';
    case CODES.accessDenied:
      return 'Its user needs SELECT, INSERT, CREATE TABLE, DROP TABLE and ALTER RENAME on the database.';
    default:
      return 'Try again: the load resumes where it stopped.';
  }
}

/** The numbers of errors, from `src/Common/ErrorCodes.cpp` of ClickHouse. */
const CODES = { unknownDatabase: 81, accessDenied: 497, authenticationFailed: 516 } as const;
