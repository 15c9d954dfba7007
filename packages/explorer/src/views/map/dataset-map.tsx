import type { DataReference, FieldDefinition, TileJson } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { CallPanel } from '../../calls/call-panel.tsx';
import type { Box } from '../../data/box.ts';
import {
  type Classes,
  type Colour,
  categoryField,
  type MapAddress,
} from '../../data/map-address.ts';
import { countInViewQuery, type DescribedTiles } from '../../data/map-queries.ts';
import { toRecordsRequest } from '../../data/records-address.ts';
import { fetchTile, tilesAddress } from '../../data/tiles.ts';
import { type Totals, withTotals } from '../../data/totals-query.ts';
import { fieldKind } from '../../format/fields.ts';
import { filtersText } from '../../format/filters.ts';
import { useSession } from '../../session/session-context.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { useLastWhole } from '../../ui/use-last-whole.ts';
import { useScheme } from '../../ui/use-scheme.ts';
import { BoxDrawing } from './box-drawing.tsx';
import type { ScreenPoint } from './box-shapes.ts';
import { type Categories, nextCategories } from './categories.ts';
import { allowedColour, colourChoices, leaveOnePeriod } from './colours.ts';
import styles from './dataset-map.module.css';
import type { Found } from './found.ts';
import { FoundPanel } from './found-panel.tsx';
import { HoverText } from './hover-text.tsx';
import { Legend } from './legend.tsx';
import { type LegendContent, legendOf } from './legend-entries.ts';
import { MapButtons } from './map-buttons.tsx';
import { MAP_SOURCES, MapCredits } from './map-credits.tsx';
import middle from './map-middle.module.css';
import { MapPanel } from './map-panel.tsx';
import { LOST, MapProblem } from './map-problem.tsx';
import type { OwnStyle } from './map-style.ts';
import { type OpenMap, openMap } from './open-map.ts';
import { PALETTES } from './palette.ts';
import { type MapCaption, saveMap, saveMapSvg, sourceLine } from './save-map.ts';
import { createScale } from './scale.ts';
import { Tooltip } from './tooltip.tsx';
import { TotalsNote } from './totals-note.tsx';
import { useMapErrors } from './use-map-errors.ts';
import { useRetryOnReturn } from './use-retry-on-return.ts';
import type { View } from './view.ts';
import { ViewSummary } from './view-summary.tsx';

/** The map with its tools, its legend, and what was clicked. */
export function DatasetMap({
  reference,
  tiles: { description, filters: tileFilters },
  totals,
  isStale,
  ownStyle,
  styleError,
  shapeChoice,
  onReopen,
}: {
  readonly reference: DataReference;
  readonly tiles: DescribedTiles;
  readonly totals: Totals;
  /** The tiles are those of the filters before, while the next ones are described. */
  readonly isStale: boolean;
  readonly ownStyle: OwnStyle;
  /** Why the style of the operator's own is not below the data. */
  readonly styleError: unknown;
  /** Leads to another kind of map, where there is one. */
  readonly shapeChoice: ReactNode;
  /** Opens another map in place of this one. */
  readonly onReopen: () => void;
}) {
  const session = useSession();
  const address = useSearch({ from: '/datasets/$dataset/map' });
  const change = useChangeAddress();
  const palette = PALETTES[useScheme()];
  const { filters = [], box, at, classes, hidden = NONE_HIDDEN } = address;
  const selection = { filters: withTotals(filters, totals), box };

  const name = nameField(reference.fields);
  const { cellsUntilZoom } = description;
  const keyFields = Object.keys(
    description.vector_layers.find(({ id }) => id === 'records')?.fields ?? {},
  );
  const choices = colourChoices(
    reference.fields,
    name === undefined ? keyFields : [...keyFields, name],
    {
      isOnePeriod: leaveOnePeriod(tileFilters ?? [], reference.fields, keyFields),
      mixesTotals: totals.areMixed,
    },
  );
  const colour = allowedColour(address.colour, choices);
  const tiles = useMemo(
    () => ({
      address: tilesAddress({
        dataset: reference.name,
        filters: tileFilters,
        fields: name === undefined ? [] : [name],
        colour,
        session,
      }),
      cellsUntilZoom,
    }),
    [reference.name, tileFilters, name, colour, session, cellsUntilZoom],
  );

  const [view, setView] = useState<View>();
  const [found, setFound] = useState<Found>();
  const [isDrawing, setDrawing] = useState(false);
  const [isReading, setReading] = useState(true);
  const isLoading = isReading || isStale;
  const [isLost, setLost] = useState(false);
  const { error, onError, clearError } = useMapErrors();
  const scale = useMemo(() => scaleOf(view, colour, classes), [view, colour, classes]);
  const categories = useCategories(view, colour);
  const [pointer, setPointer] = useState<Pointer>();

  const container = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  const map = useRef<OpenMap>(undefined);
  const bounds = boundsOf(description);
  const select = (at: Parameters<OpenMap['find']>[0]): void => {
    setFound(map.current?.find(at, keyFields));
  };
  // The map outlives a drawing of this component, and calls what the last one gave it.
  const hover = (at: ScreenPoint | undefined): void => {
    const hovered = at === undefined ? undefined : map.current?.find(at, keyFields);
    setPointer(at === undefined || hovered === undefined ? undefined : { at, found: hovered });
  };
  const latest = useRef({ change, select, hover, onError, session });
  useEffect(() => {
    latest.current = { change, select, hover, onError, session };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is opened once; the effects below change it
  useEffect(() => {
    if (container.current === null) return undefined;
    const opened = openMap({
      container: container.current,
      ownStyle,
      label: `Map of ${reference.dataListingDisplayName}. Arrows move it, plus and minus zoom, Enter shows what is at its centre.`,
      start: at === undefined ? { fit: box ?? bounds ?? WORLD } : { at },
      tiles,
      shown: { palette, colour, scale, isRead: false, categories, hidden },
      fetchTile: (tile, signal) => fetchTile(tile, latest.current.session, signal),
      listener: {
        onClick: (place) => latest.current.select(place),
        onHover: (place) => latest.current.hover(place),
        onMove: (place) => latest.current.change({ at: place }),
        onView: setView,
        onBox: (drawn) => latest.current.change({ box: drawn }),
        onLoading: setReading,
        onError: (problem) => latest.current.onError(problem),
        onLost: () => setLost(true),
        onRestored: onReopen,
      },
    });
    map.current = opened;
    return () => opened.close();
  }, []);
  useEffect(() => map.current?.showTiles(tiles), [tiles]);
  const isRead = view !== undefined && view.colour === colour;
  useEffect(
    () => map.current?.showLayers({ palette, colour, scale, isRead, categories, hidden }),
    [palette, colour, scale, isRead, categories, hidden],
  );
  useEffect(() => map.current?.showBox(box), [box]);
  useEffect(() => map.current?.showSelected(found), [found]);
  useEffect(() => {
    if (at !== undefined) map.current?.goTo(at);
  }, [at]);
  const retry = (): void => {
    clearError();
    map.current?.retry();
  };
  useRetryOnReturn(retry);
  const inView = useQuery(
    countInViewQuery(session, reference.name, { ...selection, view: view?.box }),
  );

  const setBox = (next: Box | undefined): void => {
    setDrawing(false);
    change({ box: next });
  };
  const closePanel = (): void => {
    setFound(undefined);
    container.current?.querySelector('canvas')?.focus();
  };
  const legend =
    isRead && view !== undefined
      ? legendOf({ view, scale, categories, colour, palette })
      : undefined;
  const shownLegend = useLastWhole(legend, legend === undefined);
  const captionOf = (drawn: LegendContent): MapCaption => {
    const mapSource = ownStyle === null ? MAP_SOURCES : (map.current?.credits() ?? '');
    return {
      title: reference.dataListingDisplayName,
      subtitle: filtersText(reference, selection.filters),
      legend: {
        ...drawn,
        entries: drawn.entries.filter(({ key }) => key === undefined || !hidden.includes(key)),
      },
      source: sourceLine([reference.dataProductDisplayName, mapSource]),
    };
  };
  const save = async (): Promise<void> => {
    const picture = await map.current?.draw();
    if (picture === undefined || legend === undefined) return;
    await saveMap(picture, captionOf(legend), palette);
  };
  const saveSvg = async (): Promise<void> => {
    const drawing = await map.current?.drawShapes();
    if (drawing === undefined || legend === undefined) return;
    saveMapSvg(drawing, captionOf(legend), palette);
  };
  return (
    <div className={styles.view}>
      <MapPanel
        shapeChoice={shapeChoice}
        reference={reference}
        address={{ ...address, colour }}
        choices={choices}
        thresholds={scale?.thresholds ?? []}
        selection={selection}
        isDrawing={isDrawing}
        onDraw={() => setDrawing(!isDrawing)}
        onBox={setBox}
        viewBox={view?.box}
        onColour={(next) => change({ colour: next, classes: undefined, hidden: undefined })}
        onClasses={(next) => change({ classes: next, hidden: undefined })}
        onPlace={({ longitude, latitude, zoom }) => map.current?.flyTo([longitude, latitude, zoom])}
        onSave={() => void save().catch(onError)}
        onSaveSvg={ownStyle === null ? () => void saveSvg().catch(onError) : undefined}
        onFilters={(next) => change({ filters: next })}
      />
      <div className={styles.main}>
        {error !== undefined && <MapProblem error={error} onRetry={retry} />}
        {styleError !== undefined && <MapProblem error={styleError} />}
        {isLost && <MapProblem error={new Error(LOST)} onRetry={onReopen} />}
        <section
          aria-label="Map"
          aria-busy={isLoading}
          className={styles.frame}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !isDrawing && found !== undefined) closePanel();
            if (event.key === 'Enter' && event.target instanceof HTMLCanvasElement) {
              event.preventDefault();
              select('middle');
              // The panel is there after the next drawing.
              requestAnimationFrame(() => panel.current?.focus());
            }
          }}
        >
          <div ref={container} className={styles.map} />
          <span className={middle.middle} aria-hidden="true" />
          {isDrawing && (
            <BoxDrawing
              onBox={(one, other) => setBox(map.current?.boxBetween(one, other))}
              onEnd={() => setDrawing(false)}
            />
          )}
          {ownStyle === null && <MapCredits />}
          <MapButtons
            onZoom={(steps) => map.current?.zoomBy(steps)}
            onFit={bounds === undefined ? undefined : () => map.current?.fit(bounds)}
          />
          {isLoading && (
            <p className={styles.loading} role="status">
              Reading the map…
            </p>
          )}
          {shownLegend !== undefined && (
            <Legend
              content={shownLegend}
              hidden={hidden}
              isStale={legend === undefined}
              onHidden={(next) => change({ hidden: next })}
            />
          )}
          {pointer !== undefined && found === undefined && (
            <Tooltip at={pointer.at}>
              <HoverText found={pointer.found} name={name} colour={colour} />
            </Tooltip>
          )}
          {found !== undefined && (
            <FoundPanel
              ref={panel}
              reference={reference}
              found={found}
              name={name}
              colour={colour}
              onClose={closePanel}
              onSelect={setFound}
              onZoom={(to) => {
                setFound(undefined);
                map.current?.fit(to, 18);
              }}
              onBox={setBox}
            />
          )}
        </section>
        <ViewSummary count={inView.data} isLoading={inView.isFetching}>
          <TotalsNote
            reference={reference}
            totals={totals.filters}
            onParts={(parts) => change({ filters: [...filters, ...parts], hidden: undefined })}
          />
        </ViewSummary>
        <Disclosure title="The call for these records">
          <CallPanel
            call={{
              operation: 'listRecords',
              request: toRecordsRequest(reference.name, selection),
            }}
          />
        </Disclosure>
      </div>
    </div>
  );
}

const NONE_HIDDEN: readonly string[] = [];

type Pointer = { readonly at: ScreenPoint; readonly found: Found };

/** The categories with colours, which stay while the map is moved. */
function useCategories(view: View | undefined, colour: Colour | undefined): Categories {
  const [shown, setShown] = useState<{ readonly of: Colour | undefined; readonly all: Categories }>(
    {
      of: colour,
      all: [],
    },
  );
  const before = shown.of === colour ? shown.all : [];
  const all =
    categoryField(colour) === undefined || view === undefined || view.colour !== colour
      ? before
      : nextCategories(before, view.categories);
  if (shown.of !== colour || shown.all !== all) setShown({ of: colour, all });
  return all;
}

const WORLD: Box = [-170, -55, 170, 75];

/** Changes parts of the address. A moved map leaves no trace in the history; a box or a colour can be undone. */
function useChangeAddress(): (changed: Partial<MapAddress>) => void {
  const navigate = useNavigate({ from: '/datasets/$dataset/map' });
  return (changed) =>
    void navigate({
      search: (before) => ({ ...before, ...changed }),
      replace: Object.keys(changed).every((part) => part === 'at'),
      resetScroll: false,
    });
}

/** One scale for cells and points, so that a colour means the same on the whole map. */
function scaleOf(view: View | undefined, colour: Colour | undefined, classes: Classes | undefined) {
  if (view === undefined || view.colour !== colour) return undefined;
  const values = [...view.cells, ...view.points];
  if (values.length === 0) return undefined;
  return createScale(values, classes ?? (colour?.startsWith('mean:') ? 'quantiles' : 'ratios'));
}

function boundsOf({ bounds }: TileJson): Box | undefined {
  if (bounds === undefined) return undefined;
  const [west = -180, south = -85, east = 180, north = 85] = bounds;
  return [west, south, east, north];
}

/** The field that names a record to a reader: the first text whose name says so. */
function nameField(fields: readonly FieldDefinition[]): string | undefined {
  const texts = fields.filter((field) => fieldKind(field) === 'string');
  return texts.find(({ name }) => /(?:^|_)(?:name|title)$/.test(name))?.name;
}
