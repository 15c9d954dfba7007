export type { MetricValuesRequest } from '../../client.ts';
export {
  ConnectionError,
  LocmetricsError,
  PageTokenExpiredError,
  ServiceError,
  TooManyRowsError,
  UnexpectedAnswerError,
} from '../../errors.ts';
export type { CountedRows, Rows } from '../../rows.ts';
export {
  createGrpcClient,
  type GrpcCallOptions,
  type GrpcClient,
  type GrpcClientOptions,
} from './client.ts';
export { DeadlineError } from './deadline-error.ts';
