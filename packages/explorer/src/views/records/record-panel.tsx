import type {
  DataReference,
  FieldDefinition,
  FilterClause,
  ListRecordsResponse,
} from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { recordsQuery } from '../../data/record-queries.ts';
import type { RecordsAddress } from '../../data/records-address.ts';
import { fieldTypeWord } from '../../format/fields.ts';
import type { Value } from '../../format/values.ts';
import { useSession } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Tag } from '../../ui/tag.tsx';
import { MapLink } from './map-link.tsx';
import styles from './record-panel.module.css';
import { recordPoint } from './record-point.ts';
import { filterByValue, toRecordRequest } from './record-request.ts';
import { ValueText } from './value-text.tsx';

type Values = ListRecordsResponse['records'][0]['fields'];

/** The zoom at which a place has its surroundings on the map. */
const PLACE_ZOOM = 10;

/** A record in full: all its fields with types, meanings and values. */
export function RecordPanel({
  reference,
  address,
  known,
  version,
  onFilter,
  onClose,
}: {
  readonly reference: DataReference;
  readonly address: RecordsAddress;
  /** The values that the table shows. */
  readonly known: Values;
  /** The version that they come from. */
  readonly version: string;
  readonly onFilter: (filter: FilterClause) => void;
  readonly onClose: () => void;
}) {
  const { data, error, refetch } = useQuery(
    recordsQuery(useSession(), toRecordRequest({ reference, address, known, version })),
  );
  const values = data?.records[0]?.fields ?? known;
  const point = recordPoint(reference, values);
  return (
    <SidePanel
      title={titleOf(reference, values)}
      onClose={onClose}
      actions={
        <>
          <CopyButton text={JSON.stringify(values, null, 2)} label="Copy as JSON" />
          {point !== undefined && (
            <MapLink
              dataset={reference.name}
              search={address}
              at={[...point, PLACE_ZOOM]}
              label="Show on the map"
            />
          )}
        </>
      }
    >
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.totalSize > 1 && (
        <Notice kind="info">
          {data.totalSize} records have the same values in the columns of the table; this is the
          first of them. Show more columns to tell them apart.
        </Notice>
      )}
      <dl className={styles.fields}>
        {reference.fields.map((field) => (
          <div key={field.name} className={styles.field}>
            <dt>
              <code>{field.name}</code> <Tag>{fieldTypeWord(field)}</Tag>
              <p className={styles.meaning}>{field.description}</p>
            </dt>
            <dd className={styles.value}>
              <FieldValue field={field} value={values[field.name]} onFilter={onFilter} />
            </dd>
          </div>
        ))}
      </dl>
    </SidePanel>
  );
}

function FieldValue({
  field,
  value,
  onFilter,
}: {
  readonly field: FieldDefinition;
  /** Undefined: it is not read yet. */
  readonly value: Value | undefined;
  readonly onFilter: (filter: FilterClause) => void;
}) {
  if (value === undefined) return <span role="status">Reading…</span>;
  const filter = filterByValue(field, value);
  return (
    <>
      <span className={styles.text}>
        <ValueText field={field} value={value} />
      </span>
      {filter !== undefined && (
        <Button
          kind="quiet"
          size="small"
          aria-label={`Filter by this value of ${field.name}`}
          onPress={() => onFilter(filter)}
        >
          Filter by this value
        </Button>
      )}
    </>
  );
}

/** The name of the record, or else its id, or else its dataset. */
function titleOf({ fields, dataListingDisplayName }: DataReference, values: Values): string {
  for (const source of ['feature.name.value', 'feature.feature_id.value']) {
    const field = fields.find(({ sourceColumn }) => sourceColumn === source);
    const value = field === undefined ? null : values[field.name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return `A record of ${dataListingDisplayName}`;
}
