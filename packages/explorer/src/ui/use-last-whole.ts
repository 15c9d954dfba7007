import { useEffect, useRef } from 'react';

/**
 * While other values are read, those before stay, together with all that is said about them: they fit neither the new
 * places nor the title of the new period.
 */
export function useLastWhole<Whole>(read: Whole, isPlaceholder: boolean): Whole {
  const before = useRef<Whole>(undefined);
  useEffect(() => {
    if (!isPlaceholder) before.current = read;
  }, [isPlaceholder, read]);
  return isPlaceholder ? (before.current ?? read) : read;
}
