import type { UsageRow } from '@locmetrics/client';
import type { ReactNode } from 'react';
import { sumUsageBy, type UsageColumn } from '../../data/usage-queries.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import styles from './usage.module.css';
import type { Measure } from './usage-address.ts';

/** The usage by one column, the greatest first, each with a bar of its share. */
export function UsageBy({
  title,
  column,
  usage,
  measure,
  nameOf,
}: {
  readonly title: string;
  readonly column: UsageColumn;
  readonly usage: readonly UsageRow[];
  readonly measure: Measure;
  readonly nameOf: (value: string) => ReactNode;
}) {
  const rows = sumUsageBy(usage, column, measure);
  const total = rows.reduce((sum, row) => sum + row[measure], 0);
  const columns: readonly Column<UsageRow>[] = [
    { id: column, header: title, cell: (row) => nameOf(row[column] ?? '') },
    {
      id: 'share',
      header: `Share of ${measure}`,
      cell: (row) => <ShareBar share={total === 0 ? 0 : row[measure] / total} />,
    },
    ...SUMS,
  ];
  return (
    <section className={styles.part}>
      <h2>{`By ${title.toLowerCase()}`}</h2>
      <DataTable
        caption={`Usage by ${title.toLowerCase()}`}
        columns={columns}
        rows={rows}
        rowKey={(row) => row[column] ?? ''}
        empty="No usage in this period."
      />
    </section>
  );
}

/** The columns of the sums, which every table of usage has. */
export const SUMS: readonly Column<UsageRow>[] = [
  {
    id: 'requests',
    header: 'Requests',
    isNumber: true,
    cell: ({ requests }) => formatCount(requests),
  },
  { id: 'rows', header: 'Rows', isNumber: true, cell: ({ rows }) => formatCount(rows) },
  {
    id: 'bytes',
    header: 'Bytes',
    isNumber: true,
    cell: ({ bytes }) => <span title={`${formatCount(bytes)} bytes`}>{formatBytes(bytes)}</span>,
  },
];
