import type { DataReference, FieldDefinition } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { datasetCalls } from '../../calls/dataset-calls.ts';
import { ReadyCalls } from '../../calls/ready-calls.tsx';
import {
  type FieldProfile,
  type Profiles as FieldProfiles,
  profilesQuery,
} from '../../data/profile-queries.ts';
import { formatAgo, formatTime } from '../../format/dates.ts';
import { fieldTypeWord } from '../../format/fields.ts';
import { formatCount } from '../../format/numbers.ts';
import { formatRange } from '../../format/periods.ts';
import { formatValue } from '../../format/values.ts';
import { useSession } from '../../session/session-context.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tag } from '../../ui/tag.tsx';
import { DatasetMetrics } from './dataset-metrics.tsx';
import { DatasetPage } from './dataset-page.tsx';
import { FieldDistribution } from './field-distribution.tsx';
import styles from './fields.module.css';
import { Operators } from './operators.tsx';
import { SmallMap } from './small-map.tsx';

/** The first look at a dataset: its version and freshness, its metrics, and a profile of each field. */
export function Fields() {
  const { dataset } = useParams({ from: '/datasets/$dataset' });
  return (
    <DatasetPage dataset={dataset}>
      {(reference) => (
        <>
          <div className={styles.look}>
            <div className={styles.about}>
              <DatasetFacts reference={reference} />
              <DatasetMetrics dataset={reference.name} />
            </div>
            {reference.options.boundingBox.available && <SmallMap reference={reference} />}
          </div>
          <Profiles reference={reference} />
          <ReadyCalls calls={datasetCalls(reference)}>
            <Operators reference={reference} />
          </ReadyCalls>
        </>
      )}
    </DatasetPage>
  );
}

function Profiles({ reference }: { readonly reference: DataReference }) {
  const { data, error } = useQuery(profilesQuery(useSession(), reference));
  const { field: named } = useSearch({ from: '/datasets/$dataset' });
  useEffect(() => {
    if (named === undefined) return;
    document.getElementById(idOf(named))?.scrollIntoView({ block: 'center' });
  }, [named]);
  return (
    <>
      {error !== null && (
        <Notice kind="info" title="The values of the fields could not be summarised">
          {error.message}
        </Notice>
      )}
      {data?.canGroup === false && (
        <p className={styles.quiet}>
          Some records are totals of others, so the values are not counted here: they would count
          twice.
        </p>
      )}
      <DataTable
        caption={`Fields of ${reference.dataListingDisplayName}`}
        columns={columnsOf(reference, data, named)}
        rows={reference.fields}
        rowKey={({ name }) => name}
      />
    </>
  );
}

function columnsOf(
  reference: DataReference,
  profiles: FieldProfiles | undefined,
  named: string | undefined,
): readonly Column<FieldDefinition>[] {
  const column = (
    id: string,
    header: string,
    cell: (profile: FieldProfile, field: FieldDefinition) => ReactNode,
  ): Column<FieldDefinition> => ({
    id,
    header,
    cell: (field) => {
      const profile = profiles?.byField.get(field.name);
      return profile === undefined ? null : cell(profile, field);
    },
  });
  return [
    {
      id: 'name',
      header: 'Field',
      cell: (field) => (
        <div id={idOf(field.name)} className={field.name === named ? styles.named : ''}>
          <code className={styles.name}>{field.name}</code>
          <div className={styles.type}>
            {fieldTypeWord(field)} {!field.includedByDefault && <Tag>on request</Tag>}
          </div>
        </div>
      ),
    },
    {
      id: 'description',
      header: 'Meaning',
      cell: ({ description, exampleValue }) => (
        <div dir="auto">
          {description}
          {profiles === undefined && exampleValue !== '' && (
            <div className={styles.quiet}>
              For example <code>{exampleValue}</code>
            </div>
          )}
        </div>
      ),
    },
    {
      ...column('absent', 'Absent', ({ present }) => formatAbsent(present, reference.rowCount)),
      isNumber: true,
    },
    {
      ...column('distinct', 'Distinct', ({ distinct }) =>
        distinct === undefined ? '' : formatCount(distinct),
      ),
      isNumber: true,
    },
    column('range', 'Least and greatest', ({ least, greatest }, field) => (
      <Range field={field} least={least} greatest={greatest} />
    )),
    ...(profiles?.canGroup === false
      ? []
      : [
          column('values', 'Values', (profile, field) => (
            <FieldDistribution reference={reference} field={field} profile={profile} />
          )),
        ]),
  ];
}

function Range({
  field,
  least = null,
  greatest = null,
}: {
  readonly field: FieldDefinition;
  readonly least: FieldProfile['least'];
  readonly greatest: FieldProfile['greatest'];
}) {
  const [first, last] = [formatValue(field, least), formatValue(field, greatest)];
  if (first === undefined || last === undefined) return null;
  return (
    <div className={styles.range}>
      <span title={first.exact} dir="auto">
        {first.text}
      </span>
      {last.text !== first.text && (
        <span title={last.exact} dir="auto">
          {last.text}
        </span>
      )}
    </div>
  );
}

/** The number of records without a value, and their share. */
function formatAbsent(present: number, rowCount: number): string {
  const absent = Math.max(0, rowCount - present);
  if (absent === 0) return '0';
  const percent = (absent / rowCount) * 100;
  return `${formatCount(absent)} (${percent < 1 ? '< 1' : Math.round(percent)} %)`;
}

function idOf(field: string): string {
  return `field-${field}`;
}

function DatasetFacts({ reference }: { readonly reference: DataReference }) {
  const { firstObservationDate, lastObservationDate, publishedTime, version } = reference;
  const { cadence = '' } = reference;
  const facts: readonly Fact[] = [
    ['Records', formatCount(reference.rowCount)],
    ['Fields', formatCount(reference.fields.length)],
    ...(firstObservationDate === undefined || lastObservationDate === undefined
      ? []
      : [['Period', formatRange(firstObservationDate, lastObservationDate)] as const]),
    ...(cadence === '' || cadence === 'UNSPECIFIED'
      ? []
      : [['Cadence', cadence.toLowerCase().replaceAll('_', ' ')] as const]),
    ['Published', formatAgo(publishedTime), formatTime(publishedTime)],
    ['Version', version],
  ];
  return <Facts facts={facts} />;
}
