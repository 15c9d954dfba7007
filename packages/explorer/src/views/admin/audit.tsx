import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { auditQuery, organisationsQuery, tokensQuery } from '../../data/admin-queries.ts';
import { formatAgo, formatTime } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Select } from '../../ui/select.tsx';

import styles from './admin.module.css';
import { AdminPage } from './admin-page.tsx';
import { auditSentence } from './audit-words.ts';
import { useAdmin } from './use-admin.ts';

const ALL = ' all';

/** Every change of organisations, tokens, grants, limits and versions, the newest first. */
export function Audit() {
  return (
    <AdminPage title="Audit log" lead="Every change, and its author. Entries cannot be removed.">
      <Entries />
    </AdminPage>
  );
}

function Entries() {
  const admin = useAdmin();
  const address = useSearch({ from: '/admin/audit' });
  const navigate = useNavigate({ from: '/admin/audit' });
  const { organisation, since } = address;
  const { data: organisations = [] } = useQuery(organisationsQuery(admin));
  const { data: tokens = [] } = useQuery(tokensQuery(admin));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(admin, { organisationId: organisation, since }),
  );
  const names = new Map([
    ...organisations.map(({ id, name }) => [id, name] as const),
    ...tokens.map(({ tokenId, name }) => [tokenId, name] as const),
  ]);
  const nameOf = (id: string): string => names.get(id) ?? id;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <div className={styles.row}>
        <Select
          label="Organisation"
          choices={[
            { value: ALL, label: 'All, and versions' },
            ...organisations.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={organisation ?? ALL}
          onChange={(chosen) =>
            void navigate({
              search: {
                ...(chosen === ALL ? {} : { organisation: chosen }),
                ...(since === undefined ? {} : { since }),
              },
            })
          }
        />
        <DayField
          label="Since"
          value={since ?? ''}
          onChange={(day) =>
            void navigate({
              search: {
                ...(organisation === undefined ? {} : { organisation }),
                ...(day === '' ? {} : { since: day }),
              },
            })
          }
        />
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the audit log" />}
      {data !== undefined && entries.length === 0 && (
        <p className={styles.quiet}>There are no changes. Choose another organisation or day.</p>
      )}
      <ol aria-label="Changes, the newest first">
        {entries.map((entry) => (
          <li key={entry.entryId} className={styles.entry}>
            <time dateTime={entry.time} title={formatAgo(entry.time)} className={styles.quiet}>
              {formatTime(entry.time)}
            </time>
            <span>{auditSentence(entry, nameOf)}</span>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <div>
          <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
            Older changes
          </Button>
        </div>
      )}
    </>
  );
}
