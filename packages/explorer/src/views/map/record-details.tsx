import type { DataReference, FieldDefinition } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { recordQuery } from '../../data/map-queries.ts';
import { recordsHref } from '../../data/view-links.ts';
import { formatDay } from '../../format/dates.ts';
import { fieldKind } from '../../format/fields.ts';
import { formatNumber } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './details.module.css';
import type { FoundRecord } from './found.ts';
import { PlaceSeriesList } from './place-series-list.tsx';

/** All fields of a record that the caller may see, and the series of its place. */
export function RecordDetails({
  reference,
  found,
}: {
  readonly reference: DataReference;
  readonly found: FoundRecord;
}) {
  const { data, error, refetch } = useQuery(recordQuery(useSession(), reference, found.key));
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the record" />;
  const values = data.records[0]?.fields;
  if (values === undefined) return <p>The record no longer exists: a new version was published.</p>;
  const keyFilters = Object.entries(found.key).map(([fieldName, value]) => ({
    fieldName,
    operator: '==',
    value,
  }));
  return (
    <>
      <PlaceSeriesList found={found} />
      <dl className={styles.fields}>
        {data.fieldDefinitions.map((field) => (
          <div key={field.name}>
            <dt title={field.description}>{field.name}</dt>
            <dd>{formatValue(field, values[field.name])}</dd>
          </div>
        ))}
      </dl>
      <a href={recordsHref(reference.name, { filters: keyFilters })}>Show it in the records</a>
    </>
  );
}

function formatValue(
  field: FieldDefinition,
  value: string | number | boolean | null | undefined,
): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return fieldKind(field) === 'date' ? formatDay(value) : value;
}
