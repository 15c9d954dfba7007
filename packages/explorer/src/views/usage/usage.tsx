import type { UsageRow } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { fetchUsageCsv, sumUsage, type UsagePeriod, usageQuery } from '../../data/usage-queries.ts';
import { CSV_TYPE } from '../../format/csv.ts';
import { formatDay } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyLink } from '../../ui/copy-link.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Select } from '../../ui/select.tsx';
import { Tag } from '../../ui/tag.tsx';
import { DayBars } from './day-bars.tsx';
import { LimitsInUse } from './limits-in-use.tsx';
import { MEASURE_CHOICES } from './measures.ts';
import { PeriodChoice } from './period-choice.tsx';
import styles from './usage.module.css';
import { daysOf, type Measure, periodOf } from './usage-address.ts';
import { SUMS, UsageBy } from './usage-by.tsx';

/** The usage of the organisation in a period, by day, dataset, operation and token; and its limits. */
export function Usage() {
  const session = useSession();
  const address = useSearch({ from: '/usage' });
  const navigate = useNavigate({ from: '/usage' });
  const period = periodOf(address);
  const measure = address.measure ?? 'requests';
  const { data, error, refetch } = useQuery(usageQuery(session, period));
  return (
    <Page
      title="Usage"
      lead={`Usage of ${session.caller.organisationName} from ${formatDay(period.from)} to ${formatDay(period.to)}. Days are in UTC.`}
      actions={
        <>
          <SaveCsv period={period} />
          <CopyLink />
        </>
      }
    >
      <div className={styles.controls}>
        <PeriodChoice
          address={address}
          onChange={(chosen) =>
            void navigate({ search: { ...(address.measure && { measure }), ...chosen } })
          }
        />
        <Select
          label="Bars show"
          choices={MEASURE_CHOICES}
          value={measure}
          onChange={(chosen) => void navigate({ search: { ...address, measure: chosen } })}
        />
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the usage" />}
      {data !== undefined && error === null && (
        <>
          <ByDay period={period} usage={data.byDay} measure={measure} />
          <LimitsInUse limits={data.limits} />
          <UsageBy
            title="Dataset"
            column="dataset"
            usage={data.byRest}
            measure={measure}
            nameOf={(name) => (name === '' ? <em>no dataset</em> : <code>{name}</code>)}
          />
          <UsageBy
            title="Operation"
            column="operation"
            usage={data.byRest}
            measure={measure}
            nameOf={(name) => <code>{name}</code>}
          />
          <UsageBy
            title="Token"
            column="token"
            usage={data.byRest}
            measure={measure}
            nameOf={(tokenId) => (
              <>
                <code>{tokenId}</code>{' '}
                {tokenId === session.caller.tokenId && (
                  <Tag kind="accent">{`this one, ${session.caller.tokenName}`}</Tag>
                )}
              </>
            )}
          />
        </>
      )}
    </Page>
  );
}

function ByDay({
  period,
  usage,
  measure,
}: {
  readonly period: UsagePeriod;
  readonly usage: readonly UsageRow[];
  readonly measure: Measure;
}) {
  const { requests, rows, bytes } = sumUsage(usage);
  return (
    <section className={styles.part} aria-label="By day">
      <dl className={styles.totals}>
        <div>
          <dt>Requests</dt>
          <dd>{formatCount(requests)}</dd>
        </div>
        <div>
          <dt>Rows</dt>
          <dd>{formatCount(rows)}</dd>
        </div>
        <div>
          <dt>Bytes of answers</dt>
          <dd>{formatBytes(bytes)}</dd>
        </div>
      </dl>
      <DayBars days={daysOf(period)} usage={usage} measure={measure} />
      <details className={styles.details}>
        <summary>The days as a table</summary>
        <DataTable
          caption="Usage by day"
          columns={[{ id: 'day', header: 'Day', cell: ({ day = '' }) => formatDay(day) }, ...SUMS]}
          rows={usage}
          rowKey={({ day = '' }) => day}
          empty="No usage in this period. Requests for usage are not counted."
        />
      </details>
    </section>
  );
}

function SaveCsv({ period }: { readonly period: UsagePeriod }) {
  const session = useSession();
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      saveFile(
        `usage-${period.from}-${period.to}.csv`,
        await fetchUsageCsv(session, period),
        CSV_TYPE,
      );
    } catch (error) {
      setProblem(error);
    }
    setBusy(false);
  };
  return (
    <>
      <Button onPress={() => void save()} isPending={isBusy}>
        Save as CSV
      </Button>
      {problem !== undefined && <Problem error={problem} />}
    </>
  );
}
