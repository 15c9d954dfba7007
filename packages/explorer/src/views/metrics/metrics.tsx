import type { Metric } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type CatalogMetrics, catalogMetricsQuery } from '../../data/find-queries.ts';
import { countShown, formatCount } from '../../format/numbers.ts';
import { cadenceWords, formatRange } from '../../format/periods.ts';
import { hasWords } from '../../format/words.ts';
import { NothingToSee } from '../../session/nothing-to-see.tsx';
import { useSession } from '../../session/session-context.tsx';
import { CardList } from '../../ui/card-list.tsx';
import { Card, CardSection } from '../../ui/cards.tsx';
import { FILTERED_FROM, ListFilter } from '../../ui/list-filter.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Tag } from '../../ui/tag.tsx';

/** The metrics that the caller may see, by catalog. */
export function Metrics() {
  const session = useSession();
  const { data, error, refetch } = useQuery(catalogMetricsQuery(session));
  const { find = '' } = useSearch({ from: '/metrics' });
  const navigate = useNavigate({ from: '/metrics' });
  const count = countOf(data ?? []);
  const shown = useMemo(() => (data ?? []).map((one) => keepFound(one, find)), [data, find]);
  return (
    <Page title="Metrics" lead="Values of places and areas over time, by catalog.">
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the metrics" />}
      {data?.length === 0 && (
        <NothingToSee what="metric">
          Either no published dataset declares metrics (<code>metrics</code> in its manifest), or{' '}
          {session.caller.organisationName} has no grant of one: the owner of the data adds one with{' '}
          <code>locmetrics grant add</code>.
        </NothingToSee>
      )}
      {count >= FILTERED_FROM && (
        <ListFilter
          what="metrics"
          text={find}
          count={countShown(countOf(shown), count, 'metrics')}
          onText={(text) =>
            void navigate({ search: text === '' ? {} : { find: text }, replace: true })
          }
        />
      )}
      {shown
        .filter(({ metrics }) => metrics.length > 0)
        .map(({ catalogId, metrics }) => (
          <CardSection
            key={catalogId}
            heading={
              <>
                Catalog <code>{catalogId}</code>
              </>
            }
          >
            <CardList
              items={metrics}
              itemKey={({ id }) => id}
              card={(metric) => <MetricCard key={metric.id} metric={metric} />}
            />
          </CardSection>
        ))}
    </Page>
  );
}

function countOf(catalogs: readonly CatalogMetrics[]): number {
  return catalogs.reduce((sum, { metrics }) => sum + metrics.length, 0);
}

function keepFound({ catalogId, metrics }: CatalogMetrics, words: string): CatalogMetrics {
  return {
    catalogId,
    metrics: metrics.filter(({ id, listing, description, layer }) =>
      hasWords(`${listing} ${catalogId}/${id} ${description} ${layer?.displayName}`, words),
    ),
  };
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
      links={
        metric.dataReferenceName !== '' && (
          <>
            Dataset:{' '}
            <Link to="/datasets/$dataset" params={{ dataset: metric.dataReferenceName }}>
              {metric.dataReferenceName}
            </Link>
          </>
        )
      }
    />
  );
}
