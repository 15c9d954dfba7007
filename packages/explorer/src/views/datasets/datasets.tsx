import type { DataReference } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { datasetsQuery } from '../../data/dataset-queries.ts';
import { formatAgo, formatDay, formatTime } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './datasets.module.css';

/** The datasets that the caller may see, by product. */
export function Datasets() {
  const session = useSession();
  const { data, error, refetch } = useQuery(datasetsQuery(session));
  return (
    <Page title="Datasets">
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the datasets" />}
      {data?.length === 0 && <NothingToSee organisation={session.caller.organisationName} />}
      {byProduct(data ?? []).map(({ product, description, datasets }) => (
        <section key={product} className={styles.product}>
          <h2>{product}</h2>
          {description !== '' && <p className={styles.about}>{description}</p>}
          <ul className={styles.cards}>
            {datasets.map((dataset) => (
              <DatasetCard key={dataset.name} dataset={dataset} />
            ))}
          </ul>
        </section>
      ))}
    </Page>
  );
}

function DatasetCard({ dataset }: { readonly dataset: DataReference }) {
  const { name, firstObservationDate, lastObservationDate } = dataset;
  return (
    <li className={styles.card}>
      <h3>
        <Link to="/datasets/$dataset" params={{ dataset: name }} className={styles.name}>
          {dataset.dataListingDisplayName}
        </Link>
      </h3>
      <code className={styles.id}>{name}</code>
      <p className={styles.description}>{dataset.dataListingDescription}</p>
      <dl className={styles.facts}>
        <div>
          <dt>Records</dt>
          <dd>{formatCount(dataset.rowCount)}</dd>
        </div>
        <div>
          <dt>Fields</dt>
          <dd>{formatCount(dataset.fields.length)}</dd>
        </div>
        {firstObservationDate !== undefined && lastObservationDate !== undefined && (
          <div>
            <dt>Observed</dt>
            <dd>
              {formatDay(firstObservationDate)} – {formatDay(lastObservationDate)}
            </dd>
          </div>
        )}
        <div>
          <dt>Published</dt>
          <dd title={formatTime(dataset.publishedTime)}>{formatAgo(dataset.publishedTime)}</dd>
        </div>
      </dl>
    </li>
  );
}

function NothingToSee({ organisation }: { readonly organisation: string }) {
  return (
    <Notice kind="info" title="There is no dataset here that you may see.">
      Either nothing is published yet (<code>locmetrics publish</code>), or {organisation} has no
      grant of what is: the owner of the data adds one with <code>locmetrics grant add</code>.
    </Notice>
  );
}

type Product = {
  readonly product: string;
  readonly description: string;
  readonly datasets: readonly DataReference[];
};

function byProduct(datasets: readonly DataReference[]): readonly Product[] {
  const products = Map.groupBy(datasets, (dataset) => dataset.dataProductDisplayName);
  return [...products].map(([product, of]) => ({
    product,
    description: of[0]?.dataProductDescription ?? '',
    datasets: of,
  }));
}
