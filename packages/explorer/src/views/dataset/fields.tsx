import type { DataReference, FieldDefinition } from '@locmetrics/client';
import { useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { datasetCalls } from '../../calls/dataset-calls.ts';
import { ReadyCalls } from '../../calls/ready-calls.tsx';
import type { FieldProfile } from '../../data/profile-queries.ts';
import { formatAgo, formatTime } from '../../format/dates.ts';
import { fieldTypeWord } from '../../format/fields.ts';
import { formatCount } from '../../format/numbers.ts';
import { formatRange } from '../../format/periods.ts';
import { formatValue } from '../../format/values.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Growing, LoadingMark } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tag } from '../../ui/tag.tsx';
import { useSeen } from '../../ui/use-seen.ts';
import { DatasetMetrics } from './dataset-metrics.tsx';
import { DatasetPage } from './dataset-page.tsx';
import { FieldDistribution } from './field-distribution.tsx';
import styles from './fields.module.css';
import { Operators } from './operators.tsx';
import { SmallMap } from './small-map.tsx';
import { type SeenProfiles, useProfiles } from './use-profiles.ts';

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
  const profiles = useProfiles(reference);
  const { canGroup, error, isReading } = profiles;
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
      {!canGroup && (
        <p className={styles.quiet}>
          Some records are totals of others, so the values are not counted here: they would count
          twice.
        </p>
      )}
      <p role="status" className="visually-hidden">
        {isReading && 'Reading the values of the fields…'}
      </p>
      <Growing isReading={isReading}>
        <DataTable
          caption={`Fields of ${reference.dataListingDisplayName}`}
          columns={columnsOf(reference, profiles, named)}
          rows={reference.fields}
          rowKey={({ name }) => name}
        />
      </Growing>
    </>
  );
}

function columnsOf(
  reference: DataReference,
  profiles: SeenProfiles,
  named: string | undefined,
): readonly Column<FieldDefinition>[] {
  // Without profiles, examples are in the same column.
  const hasMeanings =
    profiles.error !== null || reference.fields.some(({ description }) => description !== '');
  const pending = profiles.error === null ? <LoadingMark /> : null;
  const column = (
    id: string,
    header: string,
    cell: (profile: FieldProfile, field: FieldDefinition) => ReactNode,
  ): Column<FieldDefinition> => ({
    id,
    header,
    cell: (field) => {
      const profile = profiles.byField.get(field.name);
      return profile === undefined ? pending : cell(profile, field);
    },
  });
  const meaning: Column<FieldDefinition> = {
    id: 'description',
    header: 'Meaning',
    cell: ({ name, description, exampleValue }) => (
      <div className={styles.meaning} dir="auto">
        {description}
        {profiles.error !== null && !profiles.byField.has(name) && exampleValue !== '' && (
          <div className={styles.quiet}>
            For example <code>{exampleValue}</code>
          </div>
        )}
      </div>
    ),
  };
  return [
    {
      id: 'name',
      header: 'Field',
      cell: (field) => (
        <SeenField field={field.name} isNamed={field.name === named} onSeen={profiles.see}>
          <code className={styles.name}>{field.name}</code>
          <div className={styles.type}>
            {fieldTypeWord(field)} {!field.includedByDefault && <Tag>on request</Tag>}
          </div>
        </SeenField>
      ),
    },
    ...(hasMeanings ? [meaning] : []),
    {
      ...column('absent', 'Absent', ({ present }) => formatAbsent(present, reference.rowCount)),
      isNumber: true,
    },
    {
      ...column('distinct', 'Distinct', ({ distinct, isCounted }) => {
        if (!isCounted) return pending;
        return distinct === undefined ? '' : formatCount(distinct);
      }),
      isNumber: true,
    },
    column('range', 'Least and greatest', ({ least, greatest }, field) => (
      <Range field={field} least={least} greatest={greatest} />
    )),
    ...(!profiles.canGroup
      ? []
      : [
          column('values', 'Values', (profile, field) =>
            profile.isCounted ? (
              <FieldDistribution reference={reference} field={field} profile={profile} />
            ) : (
              pending
            ),
          ),
        ]),
  ];
}

/** The name of a field, which tells when it comes into view. */
function SeenField({
  field,
  isNamed,
  onSeen,
  children,
}: {
  readonly field: string;
  readonly isNamed: boolean;
  readonly onSeen: (field: string) => void;
  readonly children: ReactNode;
}) {
  const [element, isSeen] = useSeen<HTMLDivElement>();
  useEffect(() => {
    if (isSeen) onSeen(field);
  }, [isSeen, onSeen, field]);
  return (
    <div ref={element} id={idOf(field)} className={isNamed ? styles.named : ''}>
      {children}
    </div>
  );
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
