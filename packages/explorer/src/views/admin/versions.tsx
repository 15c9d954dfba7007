import type { ListedVersion } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { versionsQuery } from '../../data/admin-queries.ts';
import type { ListAddress } from '../../data/list-address.ts';
import { formatAgo, formatTime } from '../../format/dates.ts';
import { countShown, formatBytes, formatCount } from '../../format/numbers.ts';
import { hasWords } from '../../format/words.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FILTERED_FROM, ListFilter } from '../../ui/list-filter.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './admin.module.css';
import { AdminPage } from './admin-page.tsx';
import { useAdmin } from './use-admin.ts';

/** All datasets with the version that is current, and how many are kept. */
export function Versions() {
  const { find = '' } = useSearch({ from: '/admin/versions' });
  const navigate = useNavigate({ from: '/admin/versions' });
  return (
    <AdminPage
      title="Versions"
      lead="The current versions. A dataset can be switched back to a kept version."
    >
      <List find={find} onFind={(next) => void navigate({ search: next, replace: true })} />
    </AdminPage>
  );
}

type Row = { readonly current: ListedVersion; readonly kept: number; readonly since: string };

function List({
  find,
  onFind,
}: {
  readonly find: string;
  readonly onFind: (address: ListAddress) => void;
}) {
  const { data, error, refetch } = useQuery(versionsQuery(useAdmin()));
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the versions" />;
  const rows: readonly Row[] = data.versions
    .filter(({ state }) => state === 'current')
    .map((current) => ({
      current,
      kept: data.versions.filter(
        ({ dataset, state }) => dataset === current.dataset && state === 'kept',
      ).length,
      since:
        data.history.find(({ dataset, until }) => dataset === current.dataset && until === null)
          ?.since ?? current.publishedTime,
    }));
  const shown = rows.filter(({ current }) => hasWords(current.dataset, find));
  return (
    <>
      {rows.length >= FILTERED_FROM && (
        <ListFilter
          what="datasets"
          by="name"
          text={find}
          count={countShown(shown.length, rows.length, 'datasets')}
          onText={(text) => onFind(text === '' ? {} : { find: text })}
        />
      )}
      <DataTable
        caption="Datasets and their versions"
        columns={COLUMNS}
        rows={shown}
        rowKey={({ current }) => current.dataset}
        empty={
          rows.length === 0
            ? 'Nothing is published yet: locmetrics publish does it.'
            : 'Nothing matches.'
        }
      />
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'dataset',
    header: 'Dataset',
    cell: ({ current: { dataset } }) => (
      <Link to="/admin/versions/$dataset" params={{ dataset }} className={styles.name}>
        <code>{dataset}</code>
      </Link>
    ),
  },
  {
    id: 'version',
    header: 'Current version',
    cell: ({ current }) => <code>{current.version}</code>,
  },
  {
    id: 'published',
    header: 'Published',
    cell: ({ current: { publishedTime } }) => (
      <span title={formatTime(publishedTime)}>{formatAgo(publishedTime)}</span>
    ),
  },
  {
    id: 'since',
    header: 'Current since',
    cell: ({ since }) => <span title={formatTime(since)}>{formatAgo(since)}</span>,
  },
  {
    id: 'rows',
    header: 'Records',
    isNumber: true,
    cell: ({ current }) => formatCount(current.rowCount ?? 0),
  },
  {
    id: 'bytes',
    header: 'Size',
    isNumber: true,
    cell: ({ current }) => formatBytes(current.bytes ?? 0),
  },
  { id: 'kept', header: 'Others kept', isNumber: true, cell: ({ kept }) => formatCount(kept) },
];
