import { ServiceError } from '@locmetrics/client';
import type { ListedVersion } from '@locmetrics/client/admin';
import { useState } from 'react';
import { formatTime } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './admin.module.css';
import { useAnnounce } from './announce.tsx';
import { useChange } from './use-admin.ts';

/**
 * Switches a dataset back, after it said what happens. If grants would lose what they name, the service refuses it
 * and says which; then that can be accepted.
 */
export function RollBack({
  current,
  target,
  onClose,
}: {
  readonly current: ListedVersion;
  readonly target: ListedVersion;
  readonly onClose: () => void;
}) {
  const { dataset } = target;
  const change = useChange();
  const announce = useAnnounce();
  const [together, setTogether] = useState(false);
  const [acceptGrantLosses, setAccept] = useState(false);
  const [losses, setLosses] = useState<string>();
  return (
    <AskDialog
      title={`Switch ${dataset} back?`}
      action="Switch back"
      isDangerous
      explains={isOfGrants}
      onClose={onClose}
      onSubmit={async () => {
        try {
          const { datasets } = await change((admin) =>
            admin.rollBack({ dataset, version: target.version, together, acceptGrantLosses }),
          );
          const names = datasets.map((one) => one.dataset).join(', ');
          announce(`${names} was switched back. It is served from the next request on.`);
        } catch (error) {
          if (isOfGrants(error)) setLosses(error.detail);
          throw error;
        }
      }}
    >
      <p>
        From the next request on, <code>{dataset}</code> is served from the version{' '}
        <code>{target.version}</code>, published {formatTime(target.publishedTime)}, with{' '}
        {formatCount(target.rowCount ?? 0)} records, instead of <code>{current.version}</code> with{' '}
        {formatCount(current.rowCount ?? 0)}.
      </p>
      <p>
        Nothing is deleted: you can switch forward again. Paging that has started finishes on its
        version.
      </p>
      <Checkbox isSelected={together} onChange={setTogether}>
        Also switch back what was published together with it
      </Checkbox>
      {losses !== undefined && (
        <>
          <Notice kind="danger" title="The dataset was not switched, because of grants.">
            <p className={styles.lines}>{losses}</p>
            <p>
              The organisations of these grants would no longer see it. Change the grants first, or
              accept that.
            </p>
          </Notice>
          <Checkbox isSelected={acceptGrantLosses} onChange={setAccept}>
            I accept that these grants lose data that they name
          </Checkbox>
        </>
      )}
    </AskDialog>
  );
}

/** Of all reasons for a refusal to switch, this one alone can be accepted. */
function isOfGrants(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.reason === 'SWITCH_REFUSED' &&
    error.detail.startsWith('Grants would lose')
  );
}
