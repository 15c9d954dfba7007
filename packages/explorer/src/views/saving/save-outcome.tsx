import { ConnectionError } from '@locmetrics/client';
import { countOf, formatBytes, formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { FileTooLargeError, MEMORY_BYTES_MAX, WriteError } from '../../ui/file-target.ts';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import type { Progress } from './save-result.ts';
import styles from './saving.module.css';
import type { SavingState } from './use-saving.ts';

type Ended = Exclude<SavingState, { readonly kind: 'idle' | 'running' }>;

/** The outcome of saving a file: saved, cancelled, or failed with its reason. */
export function SaveOutcome({
  state,
  noun,
  onAgain,
  onClose,
}: {
  readonly state: Ended;
  readonly noun: string;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}) {
  return (
    <>
      {state.kind === 'saved' && (
        <Notice kind="info" title={`${state.name} is saved.`}>
          It has {countOf(state.progress.totalRows, noun)} and {formatBytes(state.progress.bytes)}.
        </Notice>
      )}
      {state.kind === 'cancelled' && (
        <Notice kind="info" title="Cancelled: nothing is saved.">
          {chargedWords(state.progress)}
        </Notice>
      )}
      {state.kind === 'failed' && <Failure {...state} noun={noun} />}
      <div className={styles.actions}>
        {state.kind !== 'saved' && <Button onPress={onAgain}>Start again</Button>}
        <Button kind="primary" onPress={onClose} autoFocus>
          Close
        </Button>
      </div>
    </>
  );
}

function Failure({
  error,
  progress,
  noun,
}: {
  readonly error: unknown;
  readonly progress: Progress;
  readonly noun: string;
}) {
  const { rows, totalRows, bytes } = progress;
  if (error instanceof FileTooLargeError) {
    return (
      <Notice
        kind="danger"
        title={`Nothing is saved: the file has more than ${formatBytes(MEMORY_BYTES_MAX)}.`}
      >
        This browser keeps a file in memory until it is complete. Choose fewer {noun}s, or use
        Chrome or Edge over https, which write to the disk, or curl.
      </Notice>
    );
  }
  if (error instanceof WriteError) {
    return (
      <Notice kind="danger" title="Nothing is saved: the file could not be written.">
        {error.message} Check that the disk has room for it.
      </Notice>
    );
  }
  if (error instanceof ConnectionError && bytes === 0) {
    return (
      <Notice kind="danger" title="Nothing is saved: the service does not answer.">
        Start again as soon as it answers.
      </Notice>
    );
  }
  if (error instanceof ConnectionError) {
    const arrived =
      rows === undefined
        ? formatBytes(bytes)
        : `${formatCount(rows)} of ${countOf(totalRows, noun)}`;
    return (
      <Notice
        kind="danger"
        title={`Nothing is saved: the answer was interrupted after ${arrived}.`}
      >
        The service may be restarting, your rights may have changed, or a proxy may have closed the
        connection. Rows that were sent count against your limits.
      </Notice>
    );
  }
  return <Problem error={error} />;
}

/** The charge for the rows that have arrived. */
function chargedWords({ rows, bytes }: Progress): string {
  if (bytes === 0) return 'No rows were sent.';
  if (rows === undefined) return 'The rows that were sent count against your limits.';
  return `${countOf(rows, 'row')} had arrived. Rows that were sent count against your limits.`;
}
