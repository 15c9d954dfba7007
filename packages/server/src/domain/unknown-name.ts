import { nameHint } from './nearest-name.ts';
import { type ErrorReason, ServiceError } from './service-error.ts';

/** Messages quote what the caller sent, which can be a name of 1 MiB. */
const SHOWN_LENGTH_MAX = 200;

/**
 * A refusal of a name that is not known, or is missing, with the nearest known one.
 *
 * - `noun`: what it is a name of, for example `metric`.
 * - `owner`: what has no such thing, for example `the catalog 'nps'`; absent for the whole service.
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
    nameHint(given.name, given.known),
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
