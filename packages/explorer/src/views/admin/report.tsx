import type { GroupChanges, PublishReport } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { reportQuery } from '../../data/admin-queries.ts';
import { formatDay, formatTime } from '../../format/dates.ts';
import { formatCount, formatNumber } from '../../format/numbers.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Tag } from '../../ui/tag.tsx';
import styles from './admin.module.css';
import { useAdmin } from './use-admin.ts';

/** The report of the publish that made a version: what was read, left out and changed, and the ranges of the fields. */
export function Report({
  dataset,
  version,
}: {
  readonly dataset: string;
  readonly version: string;
}) {
  const { data, error, refetch } = useQuery(reportQuery(useAdmin(), dataset, version));
  return (
    <section className={styles.part} aria-label="Report">
      <h2>Report</h2>
      <p className={styles.quiet}>
        From the publish of <code>{version}</code>
        {data !== undefined && `, ${formatTime(data.publishedTime)}`}.
      </p>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the report" />}
      {data !== undefined && <Findings report={data} />}
    </section>
  );
}

function Findings({ report }: { readonly report: PublishReport }) {
  return (
    <>
      <p>{modeSentence(report)}</p>
      <Facts
        facts={[
          ...rowFacts(report).map(([name, count]) => [name, formatCount(count)] as const),
          ['Took', `${formatNumber(Math.round(report.durationMs / 100) / 10)} s`],
        ]}
      />
      {report.notices !== undefined && report.notices.length > 0 && (
        <Notice kind="warning" title="Notices of the publish">
          <ul>
            {report.notices.map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
        </Notice>
      )}
      {report.acceptedNotices !== undefined && report.acceptedNotices.length > 0 && (
        <Notice kind="info" title="Notices that the manifest accepts">
          <ul>
            {report.acceptedNotices.map(({ notice, reason }) => (
              <li key={notice}>
                {notice} Reason: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {report.grantLosses.length > 0 && (
        <Notice kind="warning" title="Grants lost data that they name">
          <ul>
            {report.grantLosses.map(({ organisationId, grantId, name, problems }) => (
              <li key={`${grantId} ${name}`}>
                {organisationId}, {name}: {problems.join(' ')}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {report.schema.length > 0 && (
        <ul className={styles.sentences}>
          {report.schema.map(({ change, isBreaking }) => (
            <li key={change}>
              {change} {isBreaking && <Tag kind="danger">breaks requests</Tag>}
            </li>
          ))}
        </ul>
      )}
      <h3>Rejected rows</h3>
      {report.rejected.length === 0 ? (
        <p className={styles.quiet}>No row was rejected.</p>
      ) : (
        <DataTable
          caption="Rejected rows"
          columns={REJECTED}
          rows={report.rejected}
          rowKey={({ field, reason }) => `${field} ${reason}`}
        />
      )}
      {report.periods !== null && <Groups what="periods" groups={report.periods} />}
      {report.features !== null && <Groups what="features" groups={report.features} />}
      {report.totals !== undefined && <Totals totals={report.totals} />}
      {report.notCompared.map(({ what, reason }) => (
        <p key={what} className={styles.quiet}>
          The {what} were not compared: {reason}
        </p>
      ))}
      <h3>Ranges of the fields</h3>
      <DataTable
        caption="Ranges of the fields"
        columns={RANGES}
        rows={report.fields}
        rowKey={({ name }) => name}
      />
    </>
  );
}

function modeSentence({ mode, replacedPeriod, before, rowCountBefore }: PublishReport): string {
  const compared =
    before === null
      ? 'It was the first version.'
      : `The previous version (${before}) had ${formatCount(rowCountBefore ?? 0)} records.`;
  switch (mode) {
    case 'replace':
      return `All records were replaced. ${compared}`;
    case 'append':
      return `Records were added. ${compared}`;
    case 'replace-period':
      return replacedPeriod === null
        ? `A period was replaced. ${compared}`
        : `The records from ${formatDay(replacedPeriod.start)} to ${formatDay(replacedPeriod.end)} were replaced. ${compared}`;
  }
}

function rowFacts({ rows, mode }: PublishReport): readonly (readonly [string, number])[] {
  return [
    ['Rows read', rows.read],
    ['Rejected', rows.rejected],
    ...(mode === 'replace'
      ? []
      : ([
          ['Carried over', rows.carriedOver],
          ['Replaced', rows.replaced],
        ] as const)),
    ['Records in the version', rows.total],
  ];
}

const REJECTED: readonly Column<PublishReport['rejected'][number]>[] = [
  {
    id: 'field',
    header: 'Field',
    cell: ({ field }) => (field === null ? 'the whole row' : <code>{field}</code>),
  },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => reason },
  { id: 'count', header: 'Rows', isNumber: true, cell: ({ count }) => formatCount(count) },
  { id: 'examples', header: 'For example', cell: ({ examples }) => examples.join('; ') },
];

const RANGES: readonly Column<PublishReport['fields'][number]>[] = [
  { id: 'name', header: 'Field', cell: ({ name }) => <code>{name}</code> },
  { id: 'type', header: 'Type', cell: ({ type }) => type },
  { id: 'absent', header: 'Absent', isNumber: true, cell: ({ absent }) => formatCount(absent) },
  { id: 'least', header: 'Least', cell: ({ least }) => least },
  { id: 'greatest', header: 'Greatest', cell: ({ greatest }) => greatest },
];

type MeasureTotals = NonNullable<PublishReport['totals']>[number];
type Total = { readonly before: number | null; readonly after: number | null };

/** The sums of the measures that changed: over all records, of each period, and of the places in corrected periods. */
function Totals({ totals }: { readonly totals: readonly MeasureTotals[] }) {
  const rows = totals.flatMap(({ field, overall, periods, features }) => [
    ...(overall === null || overall.before === overall.after
      ? []
      : [{ field, of: 'all records', ...overall }]),
    ...periods.examples.map(({ of, ...total }) => ({ field, of: formatDay(of), ...total })),
    ...features.examples.map(({ of, ...total }) => ({
      field,
      of: `${of}, in corrected periods`,
      ...total,
    })),
  ]);
  if (rows.length === 0) return null;
  return (
    <>
      <h3>Sums that changed</h3>
      <DataTable
        caption="Sums that changed"
        columns={TOTALS}
        rows={rows}
        rowKey={({ field, of }) => `${field} ${of}`}
      />
    </>
  );
}

const TOTALS: readonly Column<Total & { readonly field: string; readonly of: string }>[] = [
  { id: 'field', header: 'Field', cell: ({ field }) => <code>{field}</code> },
  { id: 'of', header: 'Of', cell: ({ of }) => of },
  { id: 'before', header: 'Before', isNumber: true, cell: ({ before }) => sumText(before) },
  { id: 'after', header: 'After', isNumber: true, cell: ({ after }) => sumText(after) },
];

function sumText(sum: number | null): string {
  return sum === null ? 'none' : formatNumber(sum);
}

function Groups({ what, groups }: { readonly what: string; readonly groups: GroupChanges }) {
  const { count, appeared, vanished, jumped, jumpPercent, field } = groups;
  const list = ({ count: number, examples }: GroupChanges['appeared']): string =>
    number === 0 ? 'none' : `${formatCount(number)} (${examples.join(', ')})`;
  return (
    <>
      <h3>{`${what === 'periods' ? 'Periods' : 'Features'}, by ${field}`}</h3>
      <ul className={styles.sentences}>
        <li>{formatCount(count)} in all.</li>
        <li>New: {list(appeared)}.</li>
        <li>Missing now: {list(vanished)}.</li>
        <li>
          {`Changed by ${formatNumber(jumpPercent)} % or more: ${jumped.count === 0 ? 'none' : formatCount(jumped.count)}.`}
        </li>
        {jumped.examples.map(({ of, field: measured, before, after }) => (
          <li key={`${of} ${measured}`}>
            {of}: {measured ?? 'the number of records'} was{' '}
            {before === null ? 'absent' : formatNumber(before)}, and is{' '}
            {after === null ? 'absent' : formatNumber(after)}.
          </li>
        ))}
      </ul>
    </>
  );
}
