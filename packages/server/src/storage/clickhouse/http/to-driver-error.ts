import { ServiceError } from '../../../domain/service-error.ts';
import { ClickhouseError } from '../clickhouse-driver.ts';

/** The error of the driver for one of the client: one of the database, or that it cannot be reached. */
export function toDriverError(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error;
  // Servers before 2020 do not name the kind of error, so the client does not see its number.
  const number = 'code' in error ? Number(error.code) : Number.NaN;
  const code = Number.isInteger(number) ? number : Number(CODE.exec(error.message)?.[1]);
  if (Number.isInteger(code)) return new ClickhouseError(code, error.message, error);
  return new ServiceError('NOT_READY', `The database at ${new URL(url).host} does not answer.`, {
    hint: 'Try again after a second.',
    cause: error,
  });
}

const CODE = /^Code: (\d+)/;
