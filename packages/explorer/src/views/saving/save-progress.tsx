import { formatDuration } from '../../format/durations.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { Progress } from './save-result.ts';
import styles from './saving.module.css';

/** A rate that was measured for less time says little. */
const RATE_AFTER_MS = 500;

/** How far the file is, and a button that stops it. */
export function SaveProgress({
  name,
  noun,
  progress,
  onCancel,
}: {
  readonly name: string;
  readonly noun: string;
  readonly progress: Progress;
  readonly onCancel: () => void;
}) {
  const { rows, totalRows, bytes } = progress;
  const share = rows === undefined || totalRows === 0 ? undefined : Math.min(1, rows / totalRows);
  const total = `${formatCount(totalRows)} ${noun}s`;
  const text =
    rows === undefined
      ? `${formatBytes(bytes)}; ${total} in all`
      : `${formatCount(rows)} of ${total}`;
  return (
    <>
      <p role="status">
        Saving <span className={styles.name}>{name}</span>…
      </p>
      <ProgressBar label={`Progress of ${name}`} share={share} text={text} />
      <p className={styles.hint}>{details(progress, share)}</p>
      <div className={styles.actions}>
        <Button onPress={onCancel} autoFocus>
          Cancel
        </Button>
      </div>
    </>
  );
}

/** The size so far, the rate and the time that is left. */
function details({ bytes, startMs }: Progress, share: number | undefined): string {
  if (startMs === undefined) return 'The service prepares the answer.';
  const elapsedMs = performance.now() - startMs;
  const parts = [formatBytes(bytes)];
  if (elapsedMs >= RATE_AFTER_MS) {
    parts.push(`${formatBytes((bytes / elapsedMs) * 1000)} a second`);
    if (share === 1) parts.push('finishing the file');
    else if (share !== undefined && share > 0) {
      parts.push(`${formatDuration((elapsedMs * (1 - share)) / share)} left`);
    }
  }
  return parts.join(' · ');
}
