import { createContext, useContext, useSyncExternalStore } from 'react';
import { Notice } from '../ui/notice.tsx';
import type { Connection } from './connection.ts';
import styles from './connection-notice.module.css';

export const ConnectionContext = createContext<Connection | undefined>(undefined);

/** Says that the service does not answer, as long as it does not. */
export function ConnectionNotice() {
  const connection = useContext(ConnectionContext);
  if (connection === undefined) throw new Error('The page has no connection.');
  const isLost = useSyncExternalStore(connection.subscribe, connection.isLost);
  if (!isLost) return null;
  return (
    <div className={styles.place}>
      <Notice kind="warning" title="The service does not answer.">
        The data on this page was loaded earlier. The page tries again every two seconds and
        continues automatically.
      </Notice>
    </div>
  );
}
