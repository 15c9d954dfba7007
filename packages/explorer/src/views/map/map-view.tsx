import type { DataReference } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { tilesQuery } from '../../data/map-queries.ts';
import { recordsHref } from '../../data/view-links.ts';
import { useSession } from '../../session/session-context.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { DatasetPage } from '../dataset/dataset-page.tsx';
import { DatasetMap } from './dataset-map.tsx';
import { hasWebGl } from './has-web-gl.ts';
import { useOwnStyle } from './map-style.ts';

/** The records of a dataset on a map. */
export function MapView() {
  const { dataset } = useParams({ from: '/datasets/$dataset/map' });
  return (
    <DatasetPage dataset={dataset}>{(reference) => <Parts reference={reference} />}</DatasetPage>
  );
}

function Parts({ reference }: { readonly reference: DataReference }) {
  const { filters } = useSearch({ from: '/datasets/$dataset/map' });
  const hasPoints = reference.options.boundingBox.available;
  const tiles = useQuery({
    ...tilesQuery(useSession(), reference.name, filters),
    enabled: hasPoints,
    // The map stays while the bounds of other filters are read.
    placeholderData: (previous) => previous,
  });
  const { style: ownStyle, error: styleError } = useOwnStyle();
  if (!hasPoints) return <NoPoints dataset={reference.name} />;
  if (tiles.error !== null) {
    return <Problem error={tiles.error} onRetry={() => void tiles.refetch()} />;
  }
  if (tiles.data === undefined) return <Loading what="the bounds of the records" />;
  if (!hasWebGl()) return <NoWebGl dataset={reference.name} />;
  if (ownStyle === undefined) return <Loading what="the style of the map" />;
  return (
    <DatasetMap
      reference={reference}
      tiles={tiles.data}
      isStale={tiles.isPlaceholderData}
      ownStyle={ownStyle}
      styleError={styleError}
    />
  );
}

function NoPoints({ dataset }: { readonly dataset: string }) {
  return (
    <Notice kind="info" title="The records of this dataset have no points.">
      <a href={recordsHref(dataset, {})}>Show its records</a> instead.
    </Notice>
  );
}

function NoWebGl({ dataset }: { readonly dataset: string }) {
  return (
    <Notice kind="warning" title="This browser cannot draw the map: it has no WebGL 2.">
      Switch on hardware acceleration in the settings of the browser, or use another browser. The
      same records are <a href={recordsHref(dataset, {})}>in the table</a>.
    </Notice>
  );
}
