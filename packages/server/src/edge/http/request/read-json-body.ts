import { findRepeatedMember } from '@locmetrics/core/errors/repeated-member';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { escapePointer } from './read-spelling.ts';

/** Parses the bytes of a body as JSON in UTF-8; undefined for an empty body. */
export function readJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const { text, value } = parse(bytes);
  refuseRepeatedMembers({ text, value });
  return value;
}

function parse(bytes: Buffer): { readonly text: string; readonly value: unknown } {
  try {
    const text = UTF8.decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? whereJsonBreaks(error) : 'it is not UTF-8 text';
    throw new ServiceError('MALFORMED_JSON', `The body is not JSON: ${reason}.`, {
      hint: 'Send a JSON object in UTF-8.',
    });
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The position of the error, without the text that V8 quotes in some messages. */
function whereJsonBreaks(error: SyntaxError): string {
  const place = /at position [0-9]+( \(line [0-9]+ column [0-9]+\))?/.exec(error.message);
  return place === null
    ? 'it is incomplete or has a misplaced character'
    : `the error is ${place[0]}`;
}

/** Refuses a body in which an object has a member twice: a proxy or a log in front may keep the other one. */
function refuseRepeatedMembers({
  text,
  value,
}: {
  readonly text: string;
  readonly value: unknown;
}): void {
  const repeated = findRepeatedMember(text, value);
  if (repeated === undefined) return;
  throw ServiceError.atPointer(
    'DUPLICATE_REQUEST_FIELD',
    repeated.path.map((name) => `/${escapePointer(String(name))}`).join(''),
    `The field '${repeated.name.slice(0, 100)}' appears twice in the same object of the body.`,
    'Send it once.',
  );
}
