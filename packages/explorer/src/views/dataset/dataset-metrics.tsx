import type { Metric } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { catalogMetricsQuery } from '../../data/find-queries.ts';
import { useSession } from '../../session/session-context.tsx';
import { LoadingMark } from '../../ui/loading.tsx';
import styles from './fields.module.css';

/** The metrics whose values or places are the records of a dataset. */
export function DatasetMetrics({ dataset }: { readonly dataset: string }) {
  const session = useSession();
  const mayRead = session.caller.scopes.includes('metrics');
  const { data = [], isLoading } = useQuery({ ...catalogMetricsQuery(session), enabled: mayRead });
  const metrics = data.flatMap((catalog) => catalog.metrics);
  const ofValues = metrics.filter(({ dataReferenceName }) => dataReferenceName === dataset);
  const ofPlaces = metrics.filter(
    (metric) => metric.featureDataReferenceName === dataset && !ofValues.includes(metric),
  );
  // The line keeps its place while it is read, and if there is nothing in it: the map is below it on a phone.
  if (mayRead && ofValues.length + ofPlaces.length === 0) {
    return (
      <p className={styles.metrics}>
        <span className={styles.quiet}>Metrics:</span> {isLoading ? <LoadingMark /> : 'none'}
      </p>
    );
  }
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
