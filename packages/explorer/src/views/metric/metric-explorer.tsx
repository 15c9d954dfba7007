import type { Metric, ValueSpec } from '@locmetrics/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { CallPanel } from '../../calls/call-panel.tsx';
import { aggregatesCostQuery, LISTED_GROUPS_MAX } from '../../data/metric-aggregates.ts';
import { placesQuery } from '../../data/metric-queries.ts';
import { MAX_PLACES, type MetricView, type Sort } from '../../data/metric-view.ts';
import { useSession } from '../../session/session-context.tsx';
import { useLook } from '../../session/use-look.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useLastWhole } from '../../ui/use-last-whole.ts';
import { defaultAggregation, measureWords, type Parts, whyNoSum } from './aggregation.ts';
import { FilterControls } from './filter-controls.tsx';
import { GroupValues } from './group-values.tsx';
import {
  AgainstSelect,
  AggregationSelect,
  GroupSelect,
  groupWord,
  SpanSelect,
} from './list-controls.tsx';
import { mapLayerOf, noMapWords } from './map-layer-of.ts';
import styles from './metric.module.css';
import { MetricValues } from './metric-values.tsx';
import { findAgainst } from './period-against.ts';
import { PeriodPicker } from './period-picker.tsx';
import type { RowColour } from './place-list.tsx';
import { PlacesPanel } from './places-panel.tsx';
import { sortKey } from './ranking.ts';
import { RelatedPlaces } from './related-places.tsx';
import { findStretch, spansOf, stretchesOf } from './spans.ts';
import { toListRequest } from './to-aggregates.ts';
import { type Place, toPlaces } from './to-time-chart.ts';
import { useLastDay } from './use-last-day.ts';
import { useRanking } from './use-ranking.ts';
import { useWithheld } from './use-withheld.ts';
import { MeasureSelect } from './view-controls.tsx';
import { changeSentence, viewSentence } from './view-sentence.ts';

/** The map is large, and comes after the list. */
const MapPanel = lazy(async () => ({ default: (await import('./map-panel.tsx')).MapPanel }));

/** So many places are shown until the reader has chosen some. */
const SUGGESTED_PLACES = 3;

/** All places of a metric in a period as a list, and the chosen ones as a chart. */
export function MetricExplorer({
  metric,
  measure,
  view,
  onChange,
}: {
  readonly metric: Metric;
  readonly measure: ValueSpec;
  readonly view: MetricView;
  readonly onChange: (next: Partial<MetricView>) => void;
}) {
  const session = useSession();
  const [hovered, setHovered] = useState<string>();
  // A place that is pointed at elsewhere is brought into view in the list.
  const [revealed, setRevealed] = useState<string>();
  const revealHovered = useCallback((id: string | undefined): void => {
    setHovered(id);
    setRevealed(id);
  }, []);
  const [search, setSearch] = useState('');
  const spans = spansOf(metric);
  const span = spans.find((one) => one === view.span) ?? spans[0] ?? 'all';
  const stretches = useMemo(() => stretchesOf(metric, span), [metric, span]);
  const parts: Parts = { metric, measure, span, group: view.group };
  const lastDay = useLastDay({ parts, view });
  const index = findStretch(stretches, view.at, lastDay ?? metric.lastObservationDate);
  const at = { stretches, index, span };
  const stretch = stretches[index];
  const against = findAgainst(view.against, at);
  const aggregation = view.aggregate ?? defaultAggregation(parts);
  const asked = { parts, view, aggregation };
  const isCompared = against.kind !== 'none';
  const sort: Sort =
    isCompared || !/change|percent/.test(view.sort ?? '') ? (view.sort ?? '-value') : '-value';
  const times = against.kind === 'other' ? 2 : 1;
  const look = useLook({
    what: 'the list',
    most: Math.min(metric.rowCount, LISTED_GROUPS_MAX) * times,
    cost: aggregatesCostQuery(
      session,
      toListRequest({ asked, stretch: span === 'all' ? undefined : stretch, sort: '-value' }),
      times,
    ),
  });
  const ranking = useRanking({
    asked,
    // Without an end there is nothing to leave out.
    stretch: span === 'all' ? undefined : stretch,
    against,
    sort,
    search,
    isOn: lastDay !== undefined && look.isOn,
  });

  const withheld = useWithheld({
    asked,
    stretch: span === 'all' ? undefined : stretch,
    rows: ranking.rows,
  });

  // Places and groups are chosen alike, but each kind keeps its own.
  const isGrouped = view.group !== undefined;
  const chosenIds = isGrouped ? view.groups : view.features;
  const isSuggested = chosenIds === undefined;
  const suggestion = useMemo((): readonly Place[] => {
    const listed = (ranking.rows ?? []).filter(({ row }) => row.id !== '');
    return listed.slice(0, SUGGESTED_PLACES).map(({ row: { id, name } }) => ({ id, name }));
  }, [ranking.rows]);
  const named = useMemo(
    () => new Map((ranking.rows ?? []).map(({ row }) => [row.id, row.name])),
    [ranking.rows],
  );
  const unnamed = (chosenIds ?? []).filter((id) => !named.has(id));
  const others = useQuery({
    ...placesQuery(session, { catalogId: metric.catalogId, layerId: metric.layerId, ids: unnamed }),
    enabled: !isGrouped && unnamed.length > 0 && ranking.rows !== undefined,
    placeholderData: keepPreviousData,
  });
  const places = useMemo(() => {
    if (chosenIds === undefined) return suggestion;
    const found = toPlaces(chosenIds, others.data ?? []);
    return found.map(({ id, name }) => ({ id, name: named.get(id) ?? name }));
  }, [chosenIds, suggestion, named, others.data]);

  const change = (ids: readonly string[]): void => {
    const next = ids.length === 0 ? undefined : ids;
    const isPlaceGone = view.place !== undefined && !ids.includes(view.place);
    onChange({
      ...(isGrouped ? { groups: next } : { features: next }),
      ...(isPlaceGone ? { place: undefined } : {}),
    });
  };
  const latest = { ids: isSuggested ? [] : places.map(({ id }) => id), change };
  const isFull = latest.ids.length >= MAX_PLACES;
  const add = (id: string): void => {
    if (!latest.ids.includes(id) && !isFull) change([...latest.ids, id]);
  };
  const remove = (id: string): void =>
    change(places.map((one) => one.id).filter((one) => one !== id));
  // The rows of the list are drawn again only if they change.
  const chooseNow = useRef<(id: string) => void>(undefined);
  chooseNow.current = (id) => (latest.ids.includes(id) ? remove(id) : add(id));
  const choose = useCallback((id: string): void => chooseNow.current?.(id), []);
  const colours = useMemo(
    () =>
      new Map(
        places.map(({ id }, at): [string, RowColour] => [
          id,
          { colour: `var(--series-${at + 1})`, isSuggested },
        ]),
      ),
    [places, isSuggested],
  );
  const chosenSet = useMemo(() => new Set(places.map(({ id }) => id)), [places]);
  const rows = useMemo(() => (ranking.rows ?? []).map(({ row }) => row), [ranking.rows]);
  const hint = whyNoSum(parts);
  const said = { parts, aggregation, stretch, against };
  const sentence = viewSentence(said);
  // A part of the places would look like all of them.
  const mapLayer = mapLayerOf(metric, view.group);
  const { rows: mapped, ...aboutMapped } = useLastWhole(
    {
      title: viewSentence({ ...said, against: { kind: 'none' } }),
      changeTitle: changeSentence(said),
      unit: measure.unit,
      rows: ranking.rows,
      withheld,
      sort,
    },
    ranking.isStale,
  );
  const isMapped = look.isOn && mapLayer !== undefined && ranking.isComplete;
  const map = isMapped && mapped !== undefined && (
    <Suspense
      fallback={
        <div className={styles.mapPlace}>
          <Loading what="the map" />
        </div>
      }
    >
      <MapPanel
        metric={metric}
        layer={mapLayer}
        {...aboutMapped}
        rows={mapped}
        classes={view.classes}
        hidden={view.hidden}
        hovered={hovered}
        chosen={chosenSet}
        onHover={revealHovered}
        onChoose={choose}
        onClasses={(classes) => onChange({ classes })}
        onHidden={(hidden) => onChange({ hidden })}
      />
    </Suspense>
  );
  const chart = {
    map,
    metric,
    measure,
    view,
    places,
    hovered,
    stretch,
    isSuggested,
    rows,
    isSum: measure.additive === 'all' || (measure.additive === 'periods' && !isGrouped),
    onHover: revealHovered,
    onPeriod: (day: string) => onChange({ at: day }),
    onRemove: remove,
    onChange,
  };
  return (
    <>
      <section className={styles.controls} aria-label="What is shown">
        <div className={styles.row}>
          <MeasureSelect metric={metric} measure={measure} onChange={onChange} />
          <GroupSelect metric={metric} group={view.group} onChange={onChange} />
          <SpanSelect metric={metric} span={span} onChange={onChange} />
          <AgainstSelect
            metric={metric}
            at={at}
            against={against}
            hasOther={ranking.isComplete}
            onChange={onChange}
          />
          <AggregationSelect parts={parts} aggregation={aggregation} onChange={onChange} />
          <FilterControls metric={metric} view={view} onChange={onChange} />
        </div>
        {metric.relatedLayerId !== '' && (
          <RelatedPlaces metric={metric} view={view} onChange={onChange} />
        )}
        <PeriodPicker
          label="Period"
          metric={metric}
          span={span}
          stretches={stretches}
          index={index}
          onChange={(next) => onChange({ at: stretches[next]?.start })}
          canPlay
        />
        {against.kind === 'other' && (
          <PeriodPicker
            label="Compared with"
            metric={metric}
            span={span}
            stretches={stretches}
            index={findStretch(stretches, against.stretch.start, metric.lastObservationDate)}
            onChange={(next) => onChange({ against: stretches[next]?.start })}
          />
        )}
      </section>
      <div>
        <h2 className={styles.sentence} aria-live="polite">
          {sentence}
        </h2>
        {hint !== undefined && <p className={styles.hint}>{hint}</p>}
        {view.group !== undefined && mapLayer === undefined && (
          <p className={styles.hint}>{noMapWords(metric, view.group)}</p>
        )}
      </div>
      <div className={styles.columns}>
        {look.question ?? (
          <PlacesPanel
            caption={`${sentence}: all rows`}
            placeWord={groupWord(metric, view.group)}
            valueWord={measure.unit === '' ? measureWords(aggregation, parts) : measure.unit}
            ranking={ranking}
            withheld={withheld}
            asked={asked}
            sort={sort}
            isCompared={isCompared}
            search={search}
            isFull={isFull}
            colours={colours}
            hovered={hovered}
            revealed={revealed}
            onSearch={setSearch}
            onSort={(next) =>
              onChange({
                sort: next === '-value' ? undefined : next,
                // Those of values do not fit changes.
                ...(sortKey(next) === sortKey(sort) ? {} : { classes: undefined }),
              })
            }
            onHover={setHovered}
            onChoose={choose}
          />
        )}
        <div className={styles.side}>
          {places.length > 0 &&
            (isGrouped ? <GroupValues {...chart} asked={asked} /> : <MetricValues {...chart} />)}
        </div>
      </div>
      <Disclosure title="The call of the list">
        <CallPanel
          call={{
            operation: 'searchMetricAggregates',
            request: ranking.request,
          }}
          label="The call of the list"
        />
      </Disclosure>
    </>
  );
}
