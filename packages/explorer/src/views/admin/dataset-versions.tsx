import type { HistoryEntry, ListedVersion } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { versionsQuery } from '../../data/admin-queries.ts';
import { formatAgo, formatTime } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Tag } from '../../ui/tag.tsx';
import styles from './admin.module.css';
import { AdminPage } from './admin-page.tsx';
import { Comparison } from './comparison.tsx';
import { Report } from './report.tsx';
import { RollBack } from './roll-back.tsx';
import { useAdmin } from './use-admin.ts';

/** The versions of a dataset: reports, comparisons, the way back, and what was current when. */
export function DatasetVersions() {
  const { dataset } = useParams({ from: '/admin/versions/$dataset' });
  return (
    <AdminPage
      title={dataset}
      above={<Link to="/admin/versions">Versions</Link>}
      lead={
        <Link to="/datasets/$dataset" params={{ dataset }}>
          Open the dataset
        </Link>
      }
    >
      <List dataset={dataset} />
    </AdminPage>
  );
}

function List({ dataset }: { readonly dataset: string }) {
  const address = useSearch({ from: '/admin/versions/$dataset' });
  const navigate = useNavigate({ from: '/admin/versions/$dataset' });
  const { data, error, refetch } = useQuery(versionsQuery(useAdmin(), dataset));
  const [target, setTarget] = useState<ListedVersion>();
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the versions" />;
  const current = data.versions.find(({ state }) => state === 'current');
  const columns: readonly Column<ListedVersion>[] = [
    {
      id: 'version',
      header: 'Version',
      cell: ({ version, state }) => (
        <>
          <code>{version}</code> <VersionState state={state} />
        </>
      ),
    },
    {
      id: 'published',
      header: 'Published',
      cell: ({ publishedTime }) => (
        <span title={formatAgo(publishedTime)}>{formatTime(publishedTime)}</span>
      ),
    },
    {
      id: 'rows',
      header: 'Records',
      isNumber: true,
      cell: ({ rowCount }) => (rowCount === null ? 'removed' : formatCount(rowCount)),
    },
    {
      id: 'bytes',
      header: 'Size',
      isNumber: true,
      cell: ({ bytes }) => (bytes === null ? 'removed' : formatBytes(bytes)),
    },
    {
      id: 'notices',
      header: 'Notices',
      isNumber: true,
      cell: ({ notices }) => (notices === null ? 'not kept' : formatCount(notices.length)),
    },
    {
      id: 'actions',
      isOfActions: true,
      header: <span className="visually-hidden">Actions</span>,
      cell: (one) => (
        <span className={styles.actions}>
          {one.state !== 'withdrawn' && (
            <Button
              size="small"
              aria-label={`Report of ${one.version}`}
              onPress={() => void navigate({ search: { report: one.version } })}
            >
              Report
            </Button>
          )}
          {one.state !== 'withdrawn' && current !== undefined && one !== current && (
            <Button
              size="small"
              aria-label={`Compare ${one.version} with the current version`}
              onPress={() => void navigate({ search: { from: one.version, to: current.version } })}
            >
              Compare
            </Button>
          )}
          {one.state === 'kept' && (
            <Button
              size="small"
              kind="danger"
              aria-label={`Switch back to ${one.version}`}
              onPress={() => setTarget(one)}
            >
              Switch back
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <div className={styles.parts}>
      <DataTable
        caption={`Versions of ${dataset}`}
        columns={columns}
        rows={data.versions}
        rowKey={({ version }) => version}
      />
      {address.report !== undefined && <Report dataset={dataset} version={address.report} />}
      {address.from !== undefined && address.to !== undefined && (
        <Comparison
          dataset={dataset}
          from={address.from}
          to={address.to}
          versions={data.versions.filter(({ state }) => state !== 'withdrawn')}
          onChange={(pair) => void navigate({ search: pair })}
        />
      )}
      <History history={data.history} />
      {target !== undefined && current !== undefined && (
        <RollBack current={current} target={target} onClose={() => setTarget(undefined)} />
      )}
    </div>
  );
}

function VersionState({ state }: { readonly state: ListedVersion['state'] }) {
  switch (state) {
    case 'current':
      return <Tag kind="good">current</Tag>;
    case 'kept':
      return <Tag>kept</Tag>;
    case 'withdrawn':
      return <Tag kind="danger">withdrawn</Tag>;
  }
}

function History({ history }: { readonly history: readonly HistoryEntry[] }) {
  return (
    <section className={styles.part}>
      <h2>What was current when</h2>
      <ol className={styles.history}>
        {history.map(({ version, since, until, by, switch: number }) => (
          <li key={`${number}-${version}`}>
            <code>{version}</code> from {formatTime(since)}{' '}
            {until === null ? 'until now' : `until ${formatTime(until)}`}, by a {by}.
          </li>
        ))}
      </ol>
    </section>
  );
}
