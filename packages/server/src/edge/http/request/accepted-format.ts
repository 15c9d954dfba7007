import type { IncomingHttpHeaders } from 'node:http';

/** Whether a caller prefers CSV to JSON by the header `Accept` (RFC 9110 § 12.5.1). */
export function prefersCsv({ accept }: IncomingHttpHeaders): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',').map(readRange);
  const weightOf = (...names: readonly string[]): number =>
    // The most specific range decides.
    names
      .map((name) => ranges.find((one) => one.name === name)?.weight)
      .find((one) => one !== undefined) ?? 0;
  const csv = weightOf('text/csv', 'text/*');
  return csv > 0 && csv >= weightOf('application/json', 'application/*', '*/*');
}

function readRange(text: string): { readonly name: string; readonly weight: number } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((one) => one.startsWith('q='))?.slice('q='.length) ?? '1';
  return { name, weight: Number(weight) || 0 };
}
