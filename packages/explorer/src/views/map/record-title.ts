import type { FoundRecord } from './found.ts';

/** What a record is called: the value of the field that names it, or else its key. */
export function recordTitle({ key, values }: FoundRecord, name: string | undefined): string {
  const named = name === undefined ? undefined : values[name];
  return typeof named === 'string' && named !== '' ? named : Object.values(key).join(' · ');
}
