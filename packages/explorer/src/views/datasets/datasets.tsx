import type { DataReference } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { datasetsQuery } from '../../data/dataset-queries.ts';
import { formatAgo, formatDay, formatTime } from '../../format/dates.ts';
import { countShown, formatCount } from '../../format/numbers.ts';
import { hasWords } from '../../format/words.ts';
import { NothingToSee } from '../../session/nothing-to-see.tsx';
import { useSession } from '../../session/session-context.tsx';
import { CardList } from '../../ui/card-list.tsx';
import { Card, CardSection } from '../../ui/cards.tsx';
import { FILTERED_FROM, ListFilter } from '../../ui/list-filter.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './datasets.module.css';

/** The datasets that the caller may see, by product. */
export function Datasets() {
  const session = useSession();
  const { data, error, refetch } = useQuery(datasetsQuery(session));
  const { find = '' } = useSearch({ from: '/datasets' });
  const navigate = useNavigate({ from: '/datasets' });
  const shown = useMemo(() => (data ?? []).filter((one) => isFound(one, find)), [data, find]);
  return (
    <Page title="Datasets">
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the datasets" />}
      {data?.length === 0 && (
        <NothingToSee what="dataset">
          Either nothing is published yet (<code>locmetrics publish</code>), or{' '}
          {session.caller.organisationName} has no grant of what is: the owner of the data adds one
          with <code>locmetrics grant add</code>.
        </NothingToSee>
      )}
      {data !== undefined && data.length >= FILTERED_FROM && (
        <ListFilter
          what="datasets"
          text={find}
          count={countShown(shown.length, data.length, 'datasets')}
          onText={(text) =>
            void navigate({ search: text === '' ? {} : { find: text }, replace: true })
          }
        />
      )}
      {byProduct(shown).map(({ product, description, datasets }) => (
        <CardSection
          key={product}
          heading={product}
          about={
            description !== '' && (
              <p className={styles.about} dir="auto">
                {description}
              </p>
            )
          }
        >
          <CardList
            items={datasets}
            itemKey={({ name }) => name}
            card={(dataset) => <DatasetCard key={dataset.name} dataset={dataset} />}
          />
        </CardSection>
      ))}
    </Page>
  );
}

function isFound(dataset: DataReference, words: string): boolean {
  const { name, dataListingDisplayName, dataListingDescription, dataProductDisplayName } = dataset;
  return hasWords(
    `${dataListingDisplayName} ${name} ${dataProductDisplayName} ${dataListingDescription}`,
    words,
  );
}

function DatasetCard({ dataset }: { readonly dataset: DataReference }) {
  const { name, firstObservationDate: first, lastObservationDate: last } = dataset;
  return (
    <Card
      link={{ to: '/datasets/$dataset', params: { dataset: name } }}
      title={dataset.dataListingDisplayName}
      id={name}
      description={dataset.dataListingDescription}
      facts={[
        ['Records', formatCount(dataset.rowCount)],
        ['Fields', formatCount(dataset.fields.length)],
        ...(first === undefined || last === undefined
          ? []
          : [['Observed', `${formatDay(first)} – ${formatDay(last)}`] as const]),
        ['Published', formatAgo(dataset.publishedTime), formatTime(dataset.publishedTime)],
      ]}
    />
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
