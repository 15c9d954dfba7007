import { useEffect, useRef } from 'react';
import type { ChartData } from './chart-data.ts';

/** While other values are read, the chart before stays whole: its values do not fit the new places. */
export function useLastWhole(
  read: ChartData | undefined,
  isPlaceholder: boolean,
): ChartData | undefined {
  const before = useRef<ChartData>(undefined);
  useEffect(() => {
    if (!isPlaceholder) before.current = read;
  }, [isPlaceholder, read]);
  return isPlaceholder ? (before.current ?? read) : read;
}
