import { ControlError } from '../../../domain/control-error.ts';
import { ServiceError } from '../../../domain/service-error.ts';

/** Runs work on a member of a body. The places of its errors are within the member; here they get its pointer. */
export function withinMember<Result>(pointer: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const known = error instanceof ControlError ? error.toServiceError() : error;
    if (!(known instanceof ServiceError)) throw known;
    const { reason, message, hint, cause } = known;
    const details = known.details.map((one) => ({ ...one, pointer: `${pointer}${one.pointer}` }));
    throw new ServiceError(reason, message, { hint, details, cause });
  }
}
