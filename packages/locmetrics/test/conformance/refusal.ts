import { strict as assert } from 'node:assert';
import { ServiceError } from '@locmetrics/core/errors/service-error';

/** The text of a refusal: reason and pointer, message, hint, each on a line. */
export async function refusalOf(answer: Promise<unknown>): Promise<string> {
  const error = await answer.then(
    () => assert.fail('The request was answered, not refused.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error;
  const place = error.details.map(({ pointer }) => ` at ${pointer}`).join('');
  return [`${error.reason}${place}`, error.message, error.hint].join('\n');
}
