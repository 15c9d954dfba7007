import type { FieldType } from '@locmetrics/core/domain/field';
import { parseValue, valueText } from '@locmetrics/core/domain/value';
import type { Report } from './manifest-report.ts';

/**
 * The text form of a value in the manifest for a field, or undefined if it is not valid for the field.
 * A number is not accepted as text, because YAML has already dropped the leading zero of `04609`.
 */
export function readValueText({
  what,
  type,
  value,
  report,
}: {
  /** The name of the value in messages, for example `example`. */
  readonly what: string;
  readonly type: FieldType;
  readonly value: string | number | boolean;
  readonly report: Report;
}): string | undefined {
  if (type === 'string' && typeof value !== 'string') {
    report(`The ${what} ${value} of a string field is not a text.`, 'Put it in quotes.');
    return undefined;
  }
  const parsed = parseValue(type, String(value));
  if ('value' in parsed) return valueText(parsed.value);
  report(`The ${what} '${value}' is not ${parsed.expected}.`);
  return undefined;
}

/** Like `readValueText`, but refuses a blank text, which means an absent value. */
export function readPresentText(given: Parameters<typeof readValueText>[0]): string | undefined {
  const text = readValueText(given);
  if (text === undefined || text.trim() !== '') return text;
  given.report(`The ${given.what} is blank.`, 'Blank text is an absent value.');
  return undefined;
}
