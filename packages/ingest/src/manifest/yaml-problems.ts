import type { YAMLParseError } from 'yaml';

/** The problem of a text that is not YAML, at an offset of it. */
export type YamlProblem = {
  readonly offset: number;
  readonly reason: string;
  readonly hint?: string;
};

/**
 * The errors of the parser in the words of somebody who does not know YAML, at most one for each line: a mistake is
 * followed by others that are only its consequences. A tab is followed by so many that it is reported alone.
 */
export function listYamlProblems(
  errors: readonly YAMLParseError[],
  text: string,
): readonly YamlProblem[] {
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  const reported =
    tabs.length > 0 ? tabs : errors.filter((error) => error === errors[0] || !isLost(error));
  const lines = reported.map(({ pos: [offset] }) => text.slice(0, offset).split('\n').length);
  return reported
    .filter((_, index) => lines.indexOf(lines[index] ?? 0) === index)
    .map((error) => ({ offset: error.pos[0], ...describe(error, { errors, text }) }));
}

/** Whether this is about what is left of a key behind another mistake. */
function isLost({ message }: YAMLParseError): boolean {
  return message === 'Implicit map keys need to be followed by map values';
}

type Description = Omit<YamlProblem, 'offset'>;

function describe(
  { code, message, pos: [offset] }: YAMLParseError,
  { errors, text }: { readonly errors: readonly YAMLParseError[]; readonly text: string },
): Description {
  switch (code) {
    case 'TAB_AS_INDENT':
      return { reason: 'The line is indented with a tab.', hint: 'Indent with spaces.' };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return errors.some(
        (other) => other.code === 'MULTILINE_IMPLICIT_KEY' && other.pos[0] === offset,
      )
        ? { reason: 'The next line is indented further than this one.', hint: SAME_COLUMN }
        : {
            reason: 'There is a second key on this line.',
            hint: 'Put a text that has a colon into quotes, or write the key on its own line.',
          };
    case 'MULTILINE_IMPLICIT_KEY':
      return {
        reason: 'This is not a key with a value.',
        hint: 'Write a colon and a space after the key.',
      };
    case 'BAD_INDENT':
    case 'MISSING_CHAR':
      return describeUnclosed(message) ?? describeIndent(code, message);
    case 'DUPLICATE_KEY':
      return {
        reason: `The key ${/^[^\s:]*/.exec(text.slice(offset))?.[0]} is written twice.`,
        hint: 'Write each key once.',
      };
    case 'BAD_SCALAR_START':
      return {
        reason: `A text cannot begin with ${text.charAt(offset)}.`,
        hint: 'Put the text into quotes.',
      };
    case 'BLOCK_IN_FLOW':
      return {
        reason: 'A text within braces or brackets has a colon, or starts with a hyphen.',
        hint: 'Put the text into quotes.',
      };
    case 'UNEXPECTED_TOKEN':
      return {
        reason: 'There is text after the end of the value.',
        hint: "Put the whole text into single quotes, with each single quote in it doubled: '\"Name\" || ''W'''. Or remove the extra text.",
      };
    case 'BAD_DQ_ESCAPE':
      return {
        reason: `${message.replace('Invalid escape sequence ', '')} has no meaning within double quotes.`,
        hint: 'Put the text into single quotes.',
      };
    default:
      return { reason: message };
  }
}

/** A bracket, brace or quote that is not closed; the place is that of the end of the text before which it is missing. */
function describeUnclosed(message: string): Description | undefined {
  const missing = /end with a ([}\]])$|^Missing closing (["'])/.exec(message);
  const closing = missing?.[1] ?? missing?.[2];
  if (closing === undefined) return undefined;
  const opening = { '}': '{', ']': '[' }[closing] ?? closing;
  return {
    reason: `A ${opening} above is not closed.`,
    hint: `Write the ${closing} that closes it. Put a text that has such characters, or a #, into quotes.`,
  };
}

function describeIndent(code: string, message: string): Description {
  return code === 'BAD_INDENT'
    ? { reason: 'This line is not indented like the keys above it.', hint: SAME_COLUMN }
    : { reason: message };
}

const SAME_COLUMN = 'Indent all keys of one level equally, and the keys below a key further.';
