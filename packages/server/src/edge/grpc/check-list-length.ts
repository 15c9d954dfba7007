import { ServiceError } from '../../domain/service-error.ts';

/** Refuses a list of a request that exceeds its maximum length. */
export function checkListLength(
  pointer: string,
  list: readonly unknown[],
  lengthMax: number,
): void {
  if (list.length <= lengthMax) return;
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    pointer,
    `'${pointer.slice(1)}' has more than ${lengthMax} items.`,
    'Send fewer.',
  );
}
