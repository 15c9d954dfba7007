import { ServiceError } from '@locmetrics/client';
import { formatCount } from '../../format/numbers.ts';
import { Problem } from '../../ui/problem.tsx';

/** The browser can take the drawing surface away at any time, for example if too many maps are open. */
export const LOST = 'The browser stopped drawing the map.';

/** An error of a part of the map, with the time to wait if there is one. */
export function MapProblem({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}) {
  const waitMs = error instanceof ServiceError ? error.retryAfterMs : undefined;
  return (
    <>
      <Problem error={error} onRetry={onRetry} />
      {waitMs !== undefined && (
        <p>The map is incomplete. Wait {formatWait(waitMs)} before you try again.</p>
      )}
    </>
  );
}

function formatWait(waitMs: number): string {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${formatCount(Math.ceil(minutes / 60))} hours`;
}
