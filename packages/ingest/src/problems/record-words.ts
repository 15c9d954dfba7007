import { shownValue } from './import-error.ts';

/** The start of a sentence, for example `1 record has`. */
export function recordsHave(count: number): string {
  return count === 1 ? '1 record has' : `${count.toLocaleString('en-US')} records have`;
}

/** A key as text, for example `id 'A', month '2023-01-01'`. */
export function shownKey(key: readonly string[], values: readonly string[]): string {
  return key.map((field, index) => `${field} ${shownValue(values[index] ?? '')}`).join(', ');
}
