import type { DataReference, FieldDefinition } from '@locmetrics/client';
import { useParams } from '@tanstack/react-router';
import { datasetCalls } from '../../calls/dataset-calls.ts';
import { ReadyCalls } from '../../calls/ready-calls.tsx';
import { formatAgo, formatDay, formatTime } from '../../format/dates.ts';
import { fieldTypeWord } from '../../format/fields.ts';
import { formatCount } from '../../format/numbers.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Tag } from '../../ui/tag.tsx';
import { DatasetPage } from './dataset-page.tsx';
import styles from './fields.module.css';

/** The fields of a dataset with types, operators and examples; its version and its freshness. */
export function Fields() {
  const { dataset } = useParams({ from: '/datasets/$dataset' });
  return (
    <DatasetPage dataset={dataset}>
      {(reference) => (
        <>
          <DatasetFacts reference={reference} />
          <DataTable
            caption={`Fields of ${reference.dataListingDisplayName}`}
            columns={COLUMNS}
            rows={reference.fields}
            rowKey={({ name }) => name}
          />
          <ReadyCalls calls={datasetCalls(reference)} />
        </>
      )}
    </DatasetPage>
  );
}

const COLUMNS: readonly Column<FieldDefinition>[] = [
  {
    id: 'name',
    header: 'Field',
    cell: ({ name, includedByDefault }) => (
      <>
        <code className={styles.name}>{name}</code>
        {!includedByDefault && (
          <div>
            <Tag>on request</Tag>
          </div>
        )}
      </>
    ),
  },
  {
    id: 'type',
    header: 'Type',
    cell: (field) => <span className={styles.type}>{fieldTypeWord(field)}</span>,
  },
  { id: 'description', header: 'Meaning', cell: ({ description }) => description },
  {
    id: 'example',
    header: 'Example',
    cell: ({ exampleValue }) => exampleValue !== '' && <code>{exampleValue}</code>,
  },
  {
    id: 'operators',
    header: 'Operators of filters',
    cell: ({ filters }) => (
      <span className={styles.operators}>
        {filters.supportedOperators.map((operator) => (
          <code key={operator}>{operator}</code>
        ))}
      </span>
    ),
  },
];

function DatasetFacts({ reference }: { readonly reference: DataReference }) {
  const { firstObservationDate, lastObservationDate, publishedTime, options } = reference;
  const facts: readonly Fact[] = [
    ['Records', formatCount(reference.rowCount)],
    ['Published', formatAgo(publishedTime), formatTime(publishedTime)],
    ['Version', reference.version],
    ...(firstObservationDate === undefined || lastObservationDate === undefined
      ? []
      : [
          [
            'Observed',
            `${formatDay(firstObservationDate)} – ${formatDay(lastObservationDate)}`,
          ] as const,
        ]),
    ['On the map', options.boundingBox.available ? 'yes' : 'no'],
  ];
  return <Facts facts={facts} />;
}
