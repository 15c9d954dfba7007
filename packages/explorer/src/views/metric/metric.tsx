import type { GetMetricResponse, ValueSpec } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { metricCalls } from '../../calls/metric-calls.ts';
import { ReadyCalls } from '../../calls/ready-calls.tsx';
import { metricQuery } from '../../data/metric-queries.ts';
import { changeView, type MetricView } from '../../data/metric-view.ts';
import { formatTime } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { cadenceWords, formatRange } from '../../format/periods.ts';
import { useSession } from '../../session/session-context.tsx';
import { CopyLink } from '../../ui/copy-link.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { isNotFound, Problem } from '../../ui/problem.tsx';
import { CategoryExplorer } from './category-explorer.tsx';
import { canCompare } from './compare-years.ts';
import styles from './metric.module.css';
import { MetricExplorer } from './metric-explorer.tsx';

/** A metric: what it measures, and the values of places as a chart and a table. */
export function Metric() {
  const { catalog, metric } = useParams({ from: '/metrics/$catalog/$metric' });
  const view = useSearch({ from: '/metrics/$catalog/$metric' });
  const navigate = useNavigate({ from: '/metrics/$catalog/$metric' });
  const { data, error, refetch } = useQuery(metricQuery(useSession(), catalog, metric));
  const change = (next: Partial<MetricView>): void => {
    void navigate({ search: (before) => changeView(before, next), resetScroll: false });
  };
  const of = data?.metric.dataReferenceName ?? '';
  const above = (
    <>
      <Link to="/metrics">Metrics</Link> / <code>{catalog}</code> / <code>{metric}</code>
      {of !== '' && (
        <>
          {' '}
          · Dataset{' '}
          <Link to="/datasets/$dataset" params={{ dataset: of }}>
            {of}
          </Link>
        </>
      )}
    </>
  );
  if (isNotFound(error)) {
    return (
      <Page title="There is no such metric" above={above}>
        <Problem error={error} />
      </Page>
    );
  }
  return (
    <Page
      title={data?.metric.listing || metric}
      above={above}
      lead={data?.metric.description}
      actions={data !== undefined && <CopyLink />}
    >
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the metric" />}
      {data !== undefined && <MetricContent answer={data} view={view} onChange={change} />}
    </Page>
  );
}

function MetricContent({
  answer,
  view,
  onChange,
}: {
  readonly answer: GetMetricResponse;
  readonly view: MetricView;
  readonly onChange: (next: Partial<MetricView>) => void;
}) {
  const { metric } = answer;
  const { valuesList } = metric.spec;
  const measure: ValueSpec | undefined =
    view.measure === undefined
      ? valuesList[0]
      : valuesList.find(({ name }) => name === view.measure);
  if (measure === undefined) {
    const names = valuesList.map(({ name }) => name).join(', ');
    return (
      <Notice kind="danger" title={`The metric has no measure '${view.measure}'.`}>
        It has: {names}.
      </Notice>
    );
  }
  if (view.compare !== undefined && !canCompare(view.compare, metric.spec.cadence)) {
    return (
      <Notice kind="danger" title={`'${view.compare}' in the address does not fit the metric.`}>
        The cadence of its values is {cadenceWords(metric.spec.cadence)}. Remove
        &lsquo;compare&rsquo; from the address.
      </Notice>
    );
  }
  const { yourLens } = metric;
  const Explorer = measure.valueKind === 'CATEGORY' ? CategoryExplorer : MetricExplorer;
  return (
    <>
      {yourLens !== undefined && (
        <Notice kind="info" title="Your organisation sees only part of this metric.">
          {[yourLens.displayName, yourLens.description].filter((text) => text !== '').join('. ')}
        </Notice>
      )}
      {metric.rowCount === 0 ? (
        <Notice kind="info" title="The metric has no values that you may see.">
          The owner of the data can say whether your grant leaves all of them out.
        </Notice>
      ) : (
        <>
          <Explorer metric={metric} measure={measure} view={view} onChange={onChange} />
          <ReadyCalls calls={metricCalls(metric, measure)} />
        </>
      )}
      <MetricFacts answer={answer} />
    </>
  );
}

function MetricFacts({ answer: { metric } }: { readonly answer: GetMetricResponse }) {
  const { spec, layer, layerId } = metric;
  const { firstObservationDate: first, lastObservationDate: last } = metric;
  const facts: readonly Fact[] = [
    ['Unit', spec.unit === '' ? 'none' : spec.unit],
    ['Cadence', cadenceWords(spec.cadence)],
    ['Days', first === '' ? 'none' : formatRange(first, last)],
    ['Values', formatCount(metric.rowCount)],
    ['Places', layer?.displayName || layerId, layerId],
    ...(layer === undefined || layer.spec.attribution === ''
      ? []
      : [['Source', layer.spec.attribution] as const]),
    ['Published', formatTime(metric.publishedTime), metric.version],
  ];
  return (
    <section className={styles.about} aria-label="About the metric">
      <h2>About this metric</h2>
      <Facts facts={facts} />
    </section>
  );
}
