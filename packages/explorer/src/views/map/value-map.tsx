import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Box } from '../../data/box.ts';
import { type LayerShapes, layerShapesQuery, POINTS_MAX } from '../../data/layer-shapes.ts';
import type { LayerId } from '../../data/metric-queries.ts';
import { fetchTile, layerTilesAddress } from '../../data/tiles.ts';
import { formatCount } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useScheme } from '../../ui/use-scheme.ts';
import { categoryColours } from './categories.ts';
import { coloursOfClasses, rangeOf } from './class-colours.ts';
import { hasWebGl } from './has-web-gl.ts';
import { Legend } from './legend.tsx';
import { MapButtons } from './map-buttons.tsx';
import { MAP_SOURCES, MapCredits } from './map-credits.tsx';
import middle from './map-middle.module.css';
import { LOST, MapProblem } from './map-problem.tsx';
import { type OwnStyle, useOwnStyle } from './map-style.ts';
import { type ValueMap as OpenedMap, openValueMap, type Values } from './open-value-map.ts';
import { PALETTES } from './palette.ts';
import { type MapCaption, saveMap, saveMapSvg, sourceLine } from './save-map.ts';
import { Tooltip } from './tooltip.tsx';
import { useMapErrors } from './use-map-errors.ts';
import { useRetryOnReturn } from './use-retry-on-return.ts';
import { valueLegend } from './value-legend.ts';
import styles from './value-map.module.css';

/** A value for each feature of a layer, as the place of its caller shows them elsewhere too: in a list, in a chart. */
export type ValueMapProps = {
  readonly layer: LayerId;
  /** What the values are, above the legend: Visits in July 2023. */
  readonly title: string;
  /** The filters of the values, below the title of a saved picture. */
  readonly subtitle?: string;
  /** By the ids of features. An absent value is null; a feature without an entry has none either. */
  readonly values: Values;
  /** The ids of features whose value is withheld. */
  readonly withheld?: ReadonlySet<string>;
  /** The thresholds between classes, rising, such as those of `classThresholds`. */
  readonly classes: readonly number[];
  /** If given, the values are places in this list of names, and the classes are `categoryClasses` of it. */
  readonly categories?: readonly string[];
  readonly format: (value: number) => string;
  /** What the tooltip says about a feature, its value included. Outlines have names. */
  readonly describe: (id: string, name: string | undefined) => ReactNode;
  readonly hovered: string | undefined;
  readonly onHover: (id: string | undefined) => void;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (id: string, name?: string) => void;
  readonly box?: Box | undefined;
  /** Set to the map while it is open. */
  readonly opened?: RefObject<OpenedMap | undefined>;
  /** Lies over the map, such as the drawing of a box. */
  readonly children?: ReactNode;
  /** Where the values come from, in a saved picture. */
  readonly source?: string;
  /** Other values are read. */
  readonly isStale?: boolean;
  /** The entries of the legend whose features are left out. */
  readonly hidden: readonly string[] | undefined;
  readonly onHidden: (hidden: readonly string[] | undefined) => void;
};

/**
 * Values on a map: in the colours of areas if the layer has outlines, or else as circles. It is as high as the element around it, and
 * at least 20rem.
 */
export function ValueMap(props: ValueMapProps) {
  const { data, error, refetch } = useQuery(layerShapesQuery(useSession(), props.layer));
  const { style: ownStyle } = useOwnStyle();
  const [openings, setOpenings] = useState(0);
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined || ownStyle === undefined)
    return (
      <div className={styles.view} data-reading>
        <Loading what="the shapes of the places" />
      </div>
    );
  if (data.kind === 'points' && data.points.length === 0) {
    return <Notice kind="info" title="The places of this layer have no points and no outlines." />;
  }
  if (!hasWebGl()) {
    return <Notice kind="warning" title="This browser cannot draw the map: it has no WebGL 2." />;
  }
  // Another layer is another map.
  const { catalogId, layerId } = props.layer;
  return (
    <DrawnMap
      key={`${catalogId}/${layerId} ${openings}`}
      {...props}
      shapes={data}
      ownStyle={ownStyle}
      onReopen={() => setOpenings(openings + 1)}
    />
  );
}

const NONE_WITHHELD: ReadonlySet<string> = new Set();
const NONE_HIDDEN: readonly string[] = [];

function DrawnMap({
  layer: { catalogId, layerId },
  title,
  subtitle = '',
  values,
  withheld = NONE_WITHHELD,
  classes,
  categories,
  format,
  describe,
  hovered,
  onHover,
  chosen,
  onChoose,
  box,
  opened: shared,
  children,
  source = '',
  isStale = false,
  hidden = NONE_HIDDEN,
  onHidden,
  shapes,
  ownStyle,
  onReopen,
}: ValueMapProps & {
  readonly shapes: LayerShapes;
  readonly ownStyle: OwnStyle;
  /** Opens another map in place of this one. */
  readonly onReopen: () => void;
}) {
  const session = useSession();
  const palette = PALETTES[useScheme()];
  const range = useMemo(() => rangeOf(values.values()), [values]);
  const count = shapes.kind === 'points' ? shapes.points.length : 0;
  const style = useMemo(
    () => ({
      ...{ palette, range, count, hidden },
      thresholds: classes,
      colours:
        categories === undefined
          ? coloursOfClasses(classes, palette, range)
          : categoryColours(categories, palette),
      isSized: categories === undefined,
      withheld: [...withheld],
    }),
    [palette, classes, categories, range, withheld, count, hidden],
  );
  const [isLoading, setLoading] = useState(true);
  const [isLost, setLost] = useState(false);
  const [at, setAt] = useState<Pointer>();
  const { error, onError, clearError } = useMapErrors();
  const container = useRef<HTMLDivElement>(null);
  const own = useRef<OpenedMap>(undefined);
  const map = shared ?? own;
  // The map outlives a drawing of this component, and calls what the last one gave it.
  const latest = useRef({ onHover, onChoose, onError, session });
  useEffect(() => {
    latest.current = { onHover, onChoose, onError, session };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is opened once; the effects below change it
  useEffect(() => {
    if (container.current === null) return undefined;
    const opened = openValueMap({
      container: container.current,
      ownStyle,
      label: `Map of ${title}. Arrows move it, plus and minus zoom, Enter chooses the place at its centre.`,
      shapes,
      tiles: layerTilesAddress({ catalogId, layerId, session }),
      style,
      values,
      fetchTile: (tile, signal) => fetchTile(tile, latest.current.session, signal),
      listener: {
        onHover: (id, point, name) => {
          setAt(point && { ...point, name });
          latest.current.onHover(id);
        },
        onPick: (id, name) => latest.current.onChoose(id, name),
        onLoading: setLoading,
        onLost: () => setLost(true),
        onRestored: onReopen,
        onError: (problem) => latest.current.onError(problem),
      },
    });
    map.current = opened;
    return () => {
      map.current = undefined;
      opened.close();
    };
  }, []);
  useEffect(() => map.current?.showValues(values), [map, values]);
  useEffect(() => map.current?.showStyle(style), [map, style]);
  useEffect(() => map.current?.showHovered(hovered), [map, hovered]);
  useEffect(() => map.current?.showChosen(chosen), [map, chosen]);
  useEffect(() => map.current?.showBox(box), [map, box]);
  const retry = (): void => {
    clearError();
    map.current?.retry();
  };
  useRetryOnReturn(retry);
  const present = [...values.values()];
  const legend = valueLegend({
    title,
    thresholds: classes,
    colours: style.colours,
    categories,
    range,
    palette,
    format,
    hasValues: present.some((value) => value !== null),
    hasAbsent: present.filter((value) => value === null).length > withheld.size,
    hasWithheld: withheld.size > 0,
    arePoints: shapes.kind === 'points',
  });
  const captionOf = (opened: OpenedMap): MapCaption => ({
    title,
    subtitle,
    legend: {
      title: undefined,
      entries: legend.entries.filter(({ key }) => key === undefined || !hidden.includes(key)),
    },
    source: sourceLine([source, ownStyle === null ? MAP_SOURCES : opened.credits()]),
  });
  const save = async (): Promise<void> => {
    const opened = map.current;
    if (opened !== undefined) await saveMap(await opened.draw(), captionOf(opened), palette);
  };
  const saveSvg = async (): Promise<void> => {
    const opened = map.current;
    if (opened !== undefined) saveMapSvg(await opened.drawShapes(), captionOf(opened), palette);
  };
  return (
    <div className={styles.view}>
      {error !== undefined && <MapProblem error={error} onRetry={retry} />}
      {isLost && <MapProblem error={new Error(LOST)} onRetry={onReopen} />}
      <section
        aria-label="Map"
        aria-busy={isLoading}
        className={styles.frame}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.target instanceof HTMLCanvasElement)) return;
          const feature = map.current?.findMiddle();
          if (feature !== undefined) onChoose(feature.id, feature.name);
        }}
      >
        <div ref={container} className={styles.map} />
        <span className={middle.middle} aria-hidden="true" />
        {children}
        {ownStyle === null && <MapCredits />}
        <MapButtons
          onZoom={(steps) => map.current?.zoomBy(steps)}
          onFit={() => map.current?.fit()}
          fitLabel="Show all places"
          onSave={() => void save().catch(onError)}
          onSaveSvg={ownStyle === null ? () => void saveSvg().catch(onError) : undefined}
        />
        <Legend
          content={legend}
          empty="No place has a value."
          hidden={hidden}
          onHidden={onHidden}
          isStale={isStale}
        />
        {at !== undefined && hovered !== undefined && (
          <Tooltip at={at}>{describe(hovered, at.name)}</Tooltip>
        )}
      </section>
      {shapes.kind === 'points' && shapes.isCut && (
        <p className={styles.note}>Only {formatCount(POINTS_MAX)} places are on the map.</p>
      )}
    </div>
  );
}

/** The place of the pointer on the map, and the name of the feature below it. */
type Pointer = { readonly x: number; readonly y: number; readonly name: string | undefined };
