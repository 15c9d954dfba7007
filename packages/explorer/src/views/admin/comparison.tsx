import type { DiffResponse, ListedVersion } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { comparisonQuery } from '../../data/admin-queries.ts';
import { formatTime } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Select } from '../../ui/select.tsx';
import { Tag } from '../../ui/tag.tsx';
import styles from './admin.module.css';
import { useAdmin } from './use-admin.ts';

/** Two versions of a dataset: their records by the key, and their fields. */
export function Comparison({
  dataset,
  from,
  to,
  versions,
  onChange,
}: {
  readonly dataset: string;
  readonly from: string;
  readonly to: string;
  readonly versions: readonly ListedVersion[];
  readonly onChange: (pair: { readonly from: string; readonly to: string }) => void;
}) {
  const { data, error, refetch } = useQuery(comparisonQuery(useAdmin(), { dataset, from, to }));
  const choices = versions.map(({ version, publishedTime, state }) => ({
    value: version,
    // Several may be published in one minute.
    label: `${formatTime(publishedTime)} · ${version.slice(-4)}${state === 'current' ? ' (current)' : ''}`,
  }));
  return (
    <section className={styles.part} aria-label="Comparison">
      <h2>Comparison</h2>
      <div className={styles.row}>
        <Select
          label="Earlier"
          choices={choices}
          value={from}
          onChange={(chosen) => onChange({ from: chosen, to })}
        />
        <Select
          label="Later"
          choices={choices}
          value={to}
          onChange={(chosen) => onChange({ from, to: chosen })}
        />
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="both versions" />}
      {data !== undefined && <Difference difference={data} />}
    </section>
  );
}

function Difference({
  difference: { rows, schema, changedFields, examples },
}: {
  readonly difference: DiffResponse;
}) {
  return (
    <>
      {rows === null ? (
        <p>The keys of the versions differ, so their records cannot be compared.</p>
      ) : (
        <Facts
          facts={[
            ['Added', formatCount(rows.added)],
            ['Removed', formatCount(rows.removed)],
            ['Changed', formatCount(rows.changed)],
            ['The same', formatCount(rows.same)],
          ]}
        />
      )}
      <h3>Fields</h3>
      {schema.length === 0 && <p className={styles.quiet}>The fields are the same.</p>}
      <ul className={styles.sentences}>
        {schema.map(({ change, isBreaking }) => (
          <li key={change}>
            {change} {isBreaking && <Tag kind="danger">breaks requests</Tag>}
          </li>
        ))}
      </ul>
      {changedFields.length > 0 && (
        <DataTable
          caption="Fields with other values"
          columns={[
            { id: 'field', header: 'Field', cell: ({ field }) => <code>{field}</code> },
            {
              id: 'rows',
              header: 'Records with another value',
              isNumber: true,
              cell: ({ rows: count }) => formatCount(count),
            },
          ]}
          rows={changedFields}
          rowKey={({ field }) => field}
        />
      )}
      {examples.changed.length > 0 && (
        <>
          <h3>For example</h3>
          <ul className={styles.sentences}>
            {examples.changed.flatMap(({ key, fields }) =>
              fields.map(({ field, before, after }) => (
                <li key={`${keyText(key)} ${field}`}>
                  {keyText(key)}: <code>{field}</code> was {valueText(before)}, and is{' '}
                  {valueText(after)}.
                </li>
              )),
            )}
          </ul>
        </>
      )}
      {examples.added.length > 0 && (
        <p>Added, for example: {examples.added.map(({ key }) => keyText(key)).join(', ')}.</p>
      )}
      {examples.removed.length > 0 && (
        <p>Removed, for example: {examples.removed.map(({ key }) => keyText(key)).join(', ')}.</p>
      )}
    </>
  );
}

function keyText(key: Readonly<Record<string, string>>): string {
  return Object.values(key).join(' / ');
}

function valueText(value: string | null): string {
  return value === null ? 'absent' : `“${value}”`;
}
