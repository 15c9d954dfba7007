import type { FieldType } from '../domain/field.ts';
import { parseValue, valueText } from '../domain/value.ts';
import type { Report } from './manifest-report.ts';

/**
 * The text form of a value that the manifest gives for a field, or undefined when it cannot be one.
 * A number is no text: YAML has already taken the zeros of `04609` away.
 */
export function readValueText({
  what,
  type,
  value,
  at,
  report,
}: {
  /** What the value is called, for example `example`. */
  readonly what: string;
  readonly type: FieldType;
  readonly value: string | number | boolean;
  readonly at: readonly string[];
  readonly report: Report;
}): string | undefined {
  if (type === 'string' && typeof value !== 'string') {
    report(at, `The ${what} ${value} of a string field is not a text.`, 'Put it in quotes.');
    return undefined;
  }
  const parsed = parseValue(type, String(value));
  if ('value' in parsed) return valueText(parsed.value);
  report(at, `The ${what} '${value}' is not ${parsed.expected}.`);
  return undefined;
}

/** The same where no value is meant by blank text, which is how an absent value is written. */
export function readPresentText(given: Parameters<typeof readValueText>[0]): string | undefined {
  const text = readValueText(given);
  if (text === undefined || text.trim() !== '') return text;
  given.report(given.at, `The ${given.what} is blank.`, 'Blank text is an absent value.');
  return undefined;
}
