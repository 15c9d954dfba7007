import { nameHint } from './nearest-name.ts';
import { type ErrorReason, ServiceError } from './service-error.ts';

/** Messages quote the name that the caller sent, which can be up to 1 MiB long. */
const SHOWN_LENGTH_MAX = 200;

/**
 * The error for an unknown or missing name, with the nearest known one.
 *
 * - `noun`: the kind of the named thing, for example `metric`.
 * - `owner`: the thing that should contain it, for example `the catalog 'nps'`; absent for the service.
 */
export function unknownName(
  reason: ErrorReason,
  pointer: string,
  given: {
    readonly noun: string;
    readonly owner?: string;
    readonly name: string;
    readonly known: readonly string[];
  },
): ServiceError {
  return ServiceError.atPointer(
    reason,
    pointer,
    describe(given),
    given.known.length === 0 ? 'You have access to none.' : nameHint(given.name, given.known),
  );
}

function describe(given: {
  readonly noun: string;
  readonly owner?: string;
  readonly name: string;
}): string {
  const { noun, owner, name } = given;
  if (name === '') return `No ${noun}${owner === undefined ? '' : ` of ${owner}`} is named.`;
  const shown = `${noun} '${name.slice(0, SHOWN_LENGTH_MAX)}'`;
  return owner === undefined
    ? `There is no ${shown}.`
    : `${owner.charAt(0).toUpperCase()}${owner.slice(1)} has no ${shown}.`;
}
