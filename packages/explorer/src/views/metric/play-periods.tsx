import { useIsFetching } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { usesUpRows } from '../../session/looking.ts';
import { useSession } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import type { Stretch } from './spans.ts';

/** Long enough to compare a map with the one before. */
const STEP_MS = 1000;

/** Shows one period after the other, up to the last one. Each waits until the one before is drawn. */
export function PlayPeriods({
  stretches,
  index,
}: {
  readonly stretches: readonly Stretch[];
  readonly index: number;
}) {
  const [isPlaying, setPlaying] = useState(false);
  const isCharged = usesUpRows(useSession().caller);
  const isReading = useIsFetching() > 0;
  const navigate = useNavigate({ from: '/metrics/$catalog/$metric' });
  const last = stretches.length - 1;
  const show = (next: number): void =>
    void navigate({
      search: (before) => ({ ...before, at: stretches[next]?.start }),
      // One step back leads to where it began.
      replace: isPlaying,
      resetScroll: false,
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step follows from the one before
  useEffect(() => {
    if (!isPlaying || isReading) return undefined;
    const timer = setTimeout(() => (index < last ? show(index + 1) : setPlaying(false)), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, isReading, index]);
  // Each period costs the rows of its list.
  if (isCharged) return null;
  return (
    <Button
      onPress={() => {
        if (!isPlaying) show(index < last ? index + 1 : 0);
        setPlaying(!isPlaying);
      }}
    >
      {isPlaying ? 'Stop' : 'Play'}
    </Button>
  );
}
