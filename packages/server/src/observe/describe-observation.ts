import type { Observation } from './observation.ts';

/** The log members of an observation: all of them, with errors described. */
export function describeObservation(observation: Observation): Readonly<Record<string, unknown>> {
  if ('error' in observation) return { ...observation, error: describe(observation.error) };
  if (observation.kind !== 'readiness_changed') return observation;
  const failing = observation.failing.map(({ check, error }) => ({
    check,
    error: describe(error),
  }));
  return { ...observation, failing };
}

/**
 * Describes an unexpected error for operators. Messages of a database can quote values, so only the first
 * line is kept, shortened.
 */
function describe(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { message: 'A value that is not an Error was thrown.' };
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  const [firstLine = ''] = error.message.split('\n');
  return {
    name: error.name,
    message: firstLine.slice(0, MESSAGE_LENGTH_MAX),
    at: error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 12),
    ...cause,
  };
}

const MESSAGE_LENGTH_MAX = 300;
