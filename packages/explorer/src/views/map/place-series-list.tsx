import type { Metric } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { seriesOfPlaceQuery, seriesQuery } from '../../data/series-queries.ts';
import { metricHref } from '../../data/view-links.ts';
import { formatNumber } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import styles from './details.module.css';
import type { FoundRecord } from './found.ts';
import { Sparkline } from './sparkline.tsx';

/** The metrics that measure the place of a record, each with its last values. Nothing if there are none. */
export function PlaceSeriesList({ found }: { readonly found: FoundRecord }) {
  const session = useSession();
  const [id, second] = Object.values(found.key);
  const { data, error } = useQuery({
    ...seriesOfPlaceQuery(session, { ...found, id: String(id) }),
    // A feature has one id; a token without the scope would be refused.
    enabled: second === undefined && session.caller.scopes.includes('metrics'),
  });
  if (error !== null) return <p>The series could not be read: {error.message}</p>;
  if (data === undefined || data.length === 0) return null;
  return (
    <ul className={styles.series} aria-label="Series of this place">
      {data.flatMap(({ featureId, metrics }) =>
        metrics.map((metric) => (
          <li key={`${metric.catalogId}/${metric.id}`} className={styles.metric}>
            <a href={metricHref({ catalogId: metric.catalogId, metricId: metric.id, featureId })}>
              {metric.listing}
            </a>
            <Series metric={metric} featureId={featureId} />
          </li>
        )),
      )}
    </ul>
  );
}

function Series({ metric, featureId }: { readonly metric: Metric; readonly featureId: string }) {
  // A category has no line, and with dimensions a period has several values.
  const isLine = metric.spec.valueKind !== 'CATEGORY' && metric.dimensionsList.length === 0;
  const { data } = useQuery({
    ...seriesQuery(useSession(), { metric, featureId }),
    enabled: isLine,
  });
  const last = data?.findLast((value) => value !== null);
  if (data === undefined || last === undefined || last === null) return null;
  const latest = `${formatNumber(last)} ${metric.spec.unit}`;
  return (
    <>
      {data.length > 1 && <Sparkline values={data} />}
      <span className={styles.caption}>
        {data.length > 1 ? `The last ${data.length} values; the latest is ${latest}` : latest}
      </span>
    </>
  );
}
