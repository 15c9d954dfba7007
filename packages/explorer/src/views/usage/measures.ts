import { formatBytes, formatCount } from '../../format/numbers.ts';
import type { Choice } from '../../ui/select.tsx';
import type { Measure } from './usage-address.ts';

export const MEASURE_CHOICES: readonly Choice<Measure>[] = [
  { value: 'requests', label: 'Requests' },
  { value: 'rows', label: 'Rows' },
  { value: 'bytes', label: 'Bytes' },
];

/** A number of usage with its unit. */
export function formatMeasure(value: number, measure: Measure): string {
  return measure === 'bytes' ? formatBytes(value) : `${formatCount(value)} ${measure}`;
}
