import { ServiceError } from '../../../domain/service-error.ts';
import { refuseRepeatedMembers } from './refuse-repeated-members.ts';

/** Parses the bytes of a body as JSON in UTF-8; undefined for an empty body. */
export function readJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const { text, value } = parse(bytes);
  refuseRepeatedMembers({ bytes, text, value });
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
  return place === null ? 'it breaks off or has a misplaced character' : `it breaks ${place[0]}`;
}
