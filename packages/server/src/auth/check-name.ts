import { ControlError } from '@locmetrics/core/errors/control-error';
import { quoteInput, UNPRINTABLE } from './quote-input.ts';

const NAME_LENGTH_MAX = 200;
const AT = { reason: 'INVALID_REQUEST', pointer: '/name' } as const;

/**
 * The trimmed name of an organisation or token. Throws a ControlError if the name is blank, too long, or
 * contains characters that would break a line of a list.
 */
export function checkName(name: string, what: 'organisation' | 'token'): string {
  const trimmed = name.trim();
  if (trimmed === '') {
    throw new ControlError(
      `The name of the ${what} is blank.`,
      'Choose a name that is not blank.',
      AT,
    );
  }
  if (trimmed.length > NAME_LENGTH_MAX) {
    throw new ControlError(
      `The name of the ${what} has ${trimmed.length} characters.`,
      `Choose one of at most ${NAME_LENGTH_MAX}.`,
      AT,
    );
  }
  if (trimmed.search(UNPRINTABLE) !== -1) {
    throw new ControlError(
      `The name of the ${what} has a character that cannot be printed: ${quoteInput(trimmed)}.`,
      'Leave out line breaks and control characters.',
      AT,
    );
  }
  return trimmed;
}
