import type { Metric } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { catalogMetricsQuery } from '../../data/find-queries.ts';
import { useSession } from '../../session/session-context.tsx';
import styles from './fields.module.css';

/** The metrics whose values or places are the records of a dataset. */
export function DatasetMetrics({ dataset }: { readonly dataset: string }) {
  const session = useSession();
  const { data = [] } = useQuery({
    ...catalogMetricsQuery(session),
    enabled: session.caller.scopes.includes('metrics'),
  });
  const metrics = data.flatMap((catalog) => catalog.metrics);
  const ofValues = metrics.filter(({ dataReferenceName }) => dataReferenceName === dataset);
  const ofPlaces = metrics.filter(
    (metric) => metric.featureDataReferenceName === dataset && !ofValues.includes(metric),
  );
  return (
    <>
      <MetricLinks label="Metrics of its values" metrics={ofValues} />
      <MetricLinks label="Metrics of its places" metrics={ofPlaces} />
    </>
  );
}

function MetricLinks({
  label,
  metrics,
}: {
  readonly label: string;
  readonly metrics: readonly Metric[];
}) {
  if (metrics.length === 0) return null;
  return (
    <p className={styles.metrics}>
      <span className={styles.quiet}>{label}:</span>
      {metrics.map(({ catalogId, id, listing }) => (
        <Link
          key={`${catalogId}/${id}`}
          to="/metrics/$catalog/$metric"
          params={{ catalog: catalogId, metric: id }}
          search={{}}
          dir="auto"
        >
          {listing || id}
        </Link>
      ))}
    </p>
  );
}
