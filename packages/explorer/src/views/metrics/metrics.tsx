import type { Metric } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { catalogsQuery, metricsQuery } from '../../data/metric-queries.ts';
import { formatCount } from '../../format/numbers.ts';
import { cadenceWords, formatRange } from '../../format/periods.ts';
import { NothingToSee } from '../../session/nothing-to-see.tsx';
import { useSession } from '../../session/session-context.tsx';
import { Card, CardSection } from '../../ui/cards.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Tag } from '../../ui/tag.tsx';
import styles from './metrics.module.css';

/** The catalogs that the caller may see, with their metrics. */
export function Metrics() {
  const session = useSession();
  const { data, error, refetch } = useQuery(catalogsQuery(session));
  return (
    <Page title="Metrics" lead="Values of places and areas over time, by catalog.">
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the catalogs" />}
      {data?.length === 0 && (
        <NothingToSee what="metric">
          Either no published dataset declares metrics (<code>metrics</code> in its manifest), or{' '}
          {session.caller.organisationName} has no grant of one: the owner of the data adds one with{' '}
          <code>locmetrics grant add</code>.
        </NothingToSee>
      )}
      {data?.map(({ id }) => (
        <CatalogSection key={id} catalog={id} />
      ))}
    </Page>
  );
}

function CatalogSection({ catalog }: { readonly catalog: string }) {
  const { data, error, refetch } = useQuery(metricsQuery(useSession(), catalog));
  return (
    <CardSection
      heading={
        <>
          Catalog <code>{catalog}</code>
        </>
      }
      about={
        <>
          {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
          {data === undefined && error === null && <Loading what={`the metrics of ${catalog}`} />}
          {data?.length === 0 && <p className={styles.none}>It has layers, but no metrics.</p>}
        </>
      }
    >
      {data?.map((metric) => (
        <MetricCard key={metric.id} metric={metric} />
      ))}
    </CardSection>
  );
}

function MetricCard({ metric }: { readonly metric: Metric }) {
  const { id, catalogId, listing, description, spec, layer, layerId, lifecycleStage } = metric;
  const { firstObservationDate: first, lastObservationDate: last } = metric;
  return (
    <Card
      link={{ to: '/metrics/$catalog/$metric', params: { catalog: catalogId, metric: id } }}
      title={listing || id}
      tag={
        lifecycleStage !== 'STABLE' &&
        lifecycleStage !== 'UNSPECIFIED' && (
          <Tag kind="warning">{lifecycleStage.toLowerCase().replaceAll('_', ' ')}</Tag>
        )
      }
      id={id}
      description={description}
      facts={[
        ['Values', formatCount(metric.rowCount)],
        ['Unit', spec.unit === '' ? 'none' : spec.unit],
        ['Cadence', cadenceWords(spec.cadence)],
        ['Places', layer?.displayName || layerId, layerId],
        ['Days', first === '' ? 'no values' : formatRange(first, last)],
      ]}
    />
  );
}
