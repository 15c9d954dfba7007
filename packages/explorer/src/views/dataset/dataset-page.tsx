import type { DataReference } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { datasetQuery } from '../../data/dataset-queries.ts';
import type { Selection } from '../../data/selection.ts';
import { useSession } from '../../session/session-context.tsx';
import { CopyLink } from '../../ui/copy-link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { isNotFound, Problem } from '../../ui/problem.tsx';
import { TabLinks } from '../../ui/tab-links.tsx';
import { useRecordLayer } from './use-record-layer.ts';

/** The frame of each view of a dataset: its name, its description, and the other views of it. */
export function DatasetPage({
  dataset,
  actions,
  children,
}: {
  readonly dataset: string;
  readonly actions?: ReactNode;
  readonly children: (reference: DataReference) => ReactNode;
}) {
  const { data, error, refetch } = useQuery(datasetQuery(useSession(), dataset));
  const layer = useRecordLayer(data?.options.boundingBox.available ? undefined : data);
  const params = { dataset };
  const above = (
    <>
      <Link to="/datasets">Datasets</Link> / <code>{dataset}</code>
    </>
  );
  if (isNotFound(error)) {
    return (
      <Page title="There is no such dataset" above={above}>
        <Problem error={error} />
      </Page>
    );
  }
  return (
    <Page
      title={data?.dataListingDisplayName ?? dataset}
      above={above}
      lead={data?.dataListingDescription}
      actions={
        // The name becomes the title then, which may take more lines or fewer, and would move them.
        data !== undefined && (
          <>
            {actions}
            <CopyLink />
          </>
        )
      }
      tabs={
        // Before the dataset is known to exist there is nothing to open.
        data !== undefined && (
          <TabLinks
            label="Views of the dataset"
            tabs={[
              { label: 'Overview', link: { to: '/datasets/$dataset', params } },
              {
                label: 'Records',
                link: { to: '/datasets/$dataset/records', params, search: keepSelection },
              },
              ...(data?.options.boundingBox.available || layer
                ? [
                    {
                      label: 'Map',
                      link: { to: '/datasets/$dataset/map', params, search: keepSelection },
                    } as const,
                  ]
                : []),
            ]}
          />
        )
      }
    >
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the dataset" />}
      {data !== undefined && children(data)}
    </Page>
  );
}

/** The views of the records have the same filters and box. */
function keepSelection({ filters, box }: Selection): Selection {
  return { filters, box };
}
