import { stringify } from 'yaml';

/** A value on one line, within braces too. */
export function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value !== 'string') return String(value);
  const isPlain = /^[\p{L}_][\p{L}\p{N}_ ./()-]*$/u.test(value) && value === value.trim();
  const text = stringify(value, {
    lineWidth: 0,
    defaultStringType: isPlain ? 'PLAIN' : 'QUOTE_SINGLE',
  });
  return text.trimEnd();
}
