import type { StreamFormat } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CostQuery } from '../../data/cost-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SaveForm } from './save-form.tsx';
import { SaveOutcome } from './save-outcome.tsx';
import { SaveProgress } from './save-progress.tsx';
import styles from './saving.module.css';
import { useSaving } from './use-saving.ts';
import type { WholeResult } from './whole-result.ts';

/** Saves a whole result: first its size and its cost, then the progress, then what became of it. */
export function SaveDialog<Format extends StreamFormat>({
  title,
  result,
  cost: query,
  onClose,
  children,
}: {
  readonly title: string;
  readonly result: WholeResult<Format>;
  readonly cost: CostQuery;
  readonly onClose: () => void;
  /** Choices of what is saved. */
  readonly children?: ReactNode;
}) {
  const cost = useQuery(query);
  const saving = useSaving();
  const [format, setFormat] = useState(result.formats[0]);
  const { state } = saving;
  const startAgain = (): void => {
    saving.reset();
    // Rows that were sent have been charged.
    void cost.refetch();
  };
  return (
    <Dialog title={title} isDismissable={state.kind !== 'running'} onClose={onClose}>
      {state.kind === 'idle' && (
        <>
          {children}
          {cost.error !== null && (
            <Problem error={cost.error} onRetry={() => void cost.refetch()} />
          )}
          {cost.isFetching && <Loading what="the size and the cost" />}
          {cost.data !== undefined && !cost.isFetching && format !== undefined ? (
            <SaveForm
              result={result}
              cost={cost.data}
              format={format}
              onFormat={setFormat}
              onSave={(rows) =>
                void saving.start({
                  format,
                  name: result.name,
                  totalRows: rows,
                  download: (signal) => result.download(format, signal),
                })
              }
              onClose={onClose}
            />
          ) : (
            <div className={styles.actions}>
              <Button onPress={onClose}>Cancel</Button>
            </div>
          )}
        </>
      )}
      {state.kind === 'running' && (
        <SaveProgress
          name={state.name}
          noun={result.noun}
          progress={state.progress}
          onCancel={saving.cancel}
        />
      )}
      {(state.kind === 'saved' || state.kind === 'cancelled' || state.kind === 'failed') && (
        <SaveOutcome state={state} noun={result.noun} onAgain={startAgain} onClose={onClose} />
      )}
    </Dialog>
  );
}
