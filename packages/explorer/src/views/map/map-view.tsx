import type { DataReference } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Shape } from '../../data/map-address.ts';
import { tilesQuery } from '../../data/map-queries.ts';
import { totalsQuery, withTotals } from '../../data/totals-query.ts';
import { recordsHref } from '../../data/view-links.ts';
import { useSession } from '../../session/session-context.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Select } from '../../ui/select.tsx';
import { DatasetPage } from '../dataset/dataset-page.tsx';
import { useRecordLayer } from '../dataset/use-record-layer.ts';
import { AreaMap } from './area-map.tsx';
import { DatasetMap } from './dataset-map.tsx';
import { hasWebGl } from './has-web-gl.ts';
import { useOwnStyle } from './map-style.ts';

/** The records of a dataset on a map. */
export function MapView() {
  const { dataset } = useParams({ from: '/datasets/$dataset/map' });
  return (
    <DatasetPage dataset={dataset}>
      {(reference) => (
        <div data-wide>
          <Parts reference={reference} />
        </div>
      )}
    </DatasetPage>
  );
}

function Parts({ reference }: { readonly reference: DataReference }) {
  const { shape } = useSearch({ from: '/datasets/$dataset/map' });
  const navigate = useNavigate({ from: '/datasets/$dataset/map' });
  const layer = useRecordLayer(reference);
  const hasPoints = reference.options.boundingBox.available;
  if (layer === undefined && (!hasPoints || shape === 'areas')) {
    return <Loading what="the areas of the records" />;
  }
  const hasAreas = layer !== undefined && layer !== null;
  const areAreas = hasAreas && (shape === 'areas' || !hasPoints);
  // It is the last tool: whether there are areas is known after the others are shown.
  const shapeChoice = hasAreas && hasPoints && (
    <Select
      label="Show records as"
      choices={SHAPES}
      value={areAreas ? 'areas' : 'points'}
      onChange={(next) =>
        void navigate({
          search: ({ filters, box }) => ({
            ...{ filters, box },
            shape: next === 'points' ? undefined : next,
          }),
          resetScroll: false,
        })
      }
    />
  );
  if (areAreas) return <AreaMap reference={reference} layer={layer} shapeChoice={shapeChoice} />;
  if (hasPoints) return <Points reference={reference} shapeChoice={shapeChoice} />;
  return <NoPoints dataset={reference.name} />;
}

const SHAPES = [
  { value: 'points', label: 'Points and cells' },
  { value: 'areas', label: 'Areas' },
] as const satisfies readonly { readonly value: Shape; readonly label: string }[];

function Points({
  reference,
  shapeChoice,
}: {
  readonly reference: DataReference;
  readonly shapeChoice: ReactNode;
}) {
  const { filters } = useSearch({ from: '/datasets/$dataset/map' });
  const session = useSession();
  const totals = useQuery(totalsQuery(session, reference.name, { filters }));
  // If there are totals, which is rare, the description is read again.
  const selected = withTotals(filters, totals.data);
  const tiles = useQuery({
    ...tilesQuery(session, reference.name, selected),
    // The map stays while the bounds of other filters are read.
    placeholderData: (previous) => previous,
  });
  const { style: ownStyle, error: styleError } = useOwnStyle();
  const [openings, setOpenings] = useState(0);
  for (const { error, refetch } of [totals, tiles]) {
    if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  }
  if (tiles.data === undefined || totals.data === undefined)
    return <Loading what="the bounds of the records" />;
  if (!hasWebGl()) return <NoWebGl dataset={reference.name} />;
  if (ownStyle === undefined) return <Loading what="the style of the map" />;
  return (
    <DatasetMap
      key={openings}
      onReopen={() => setOpenings(openings + 1)}
      reference={reference}
      tiles={tiles.data}
      totals={totals.data}
      isStale={tiles.isPlaceholderData}
      ownStyle={ownStyle}
      styleError={styleError}
      shapeChoice={shapeChoice}
    />
  );
}

function NoPoints({ dataset }: { readonly dataset: string }) {
  return (
    <Notice
      kind="info"
      title="The records of this dataset have no points and no areas with outlines."
    >
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
