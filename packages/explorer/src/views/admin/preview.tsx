import type { GrantTerms } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { previewedDatasetsQuery, previewedRecordsQuery } from '../../data/admin-queries.ts';
import { countOf, formatCount } from '../../format/numbers.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './admin.module.css';
import { useAdmin } from './use-admin.ts';

const ROWS = 10;

/** The datasets as an organisation sees them, with the first records of one. It can show an added or a replaced grant too. */
export function Preview({
  organisationId,
  grant,
  replacedGrantId,
  first,
  readAt = 0,
}: {
  readonly organisationId: string;
  readonly grant?: GrantTerms | undefined;
  /** The grant that it replaces. */
  readonly replacedGrantId?: string | undefined;
  /** The dataset that is shown at first. Absent: the first. */
  readonly first?: string | undefined;
  /** When what it depends on was read. */
  readonly readAt?: number;
}) {
  const { data, error, refetch, dataUpdatedAt } = useQuery(
    previewedDatasetsQuery(useAdmin(), { organisationId, grant, replacedGrantId }, readAt),
  );
  const [chosen, setChosen] = useState(first);
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="what it sees" />;
  const dataset = data.find(({ name }) => name === chosen) ?? data[0];
  if (dataset === undefined) return <p className={styles.quiet}>It sees no dataset.</p>;
  return (
    <>
      <p className={styles.quiet}>
        {data.length === 1
          ? 'It sees one dataset.'
          : `It sees ${formatCount(data.length)} datasets.`}{' '}
        Nothing here counts as its usage.
      </p>
      <div className={styles.narrow}>
        <Select
          label="Dataset"
          choices={data.map(({ name }) => ({ value: name, label: name }))}
          value={dataset.name}
          onChange={setChosen}
        />
      </div>
      <p>
        {`${countOf(dataset.rowCount, 'record')} with ${countOf(dataset.fields.length, 'field')}: `}
        {dataset.fields.map(({ name }) => name).join(', ')}.
      </p>
      <FirstRecords
        key={dataset.name}
        organisationId={organisationId}
        grant={grant}
        replacedGrantId={replacedGrantId}
        dataset={dataset.name}
        readAt={dataUpdatedAt}
      />
    </>
  );
}

function FirstRecords({
  organisationId,
  grant,
  replacedGrantId,
  dataset,
  readAt,
}: {
  readonly organisationId: string;
  readonly grant: GrantTerms | undefined;
  readonly replacedGrantId: string | undefined;
  readonly dataset: string;
  readonly readAt: number;
}) {
  const request = {
    ...{ organisationId, grant, replacedGrantId },
    ...{ dataReferenceName: dataset, pageSize: ROWS },
  };
  const { data, error, refetch } = useQuery(previewedRecordsQuery(useAdmin(), request, readAt));
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="records" />;
  return (
    <DataTable
      caption={`The first records of ${dataset}`}
      columns={data.fieldDefinitions.map(({ name }) => ({
        id: name,
        header: name,
        cell: ({ fields }: (typeof data.records)[number]) => String(fields[name] ?? ''),
      }))}
      rows={data.records}
      rowKey={(_, index) => String(index)}
      empty="It sees no record of it."
    />
  );
}
