import type { DataReference } from '@locmetrics/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { CallPanel } from '../../calls/call-panel.tsx';
import {
  AREAS_MAX,
  areasCostQuery,
  areaValuesQuery,
  periodFilter,
  periodStartsQuery,
  type RecordLayer,
} from '../../data/area-queries.ts';
import { type Colour, categoryField, type MapAddress } from '../../data/map-address.ts';
import { toRecordsRequest } from '../../data/records-address.ts';
import { totalsQuery, withTotals } from '../../data/totals-query.ts';
import { formatDay } from '../../format/dates.ts';
import { filtersText } from '../../format/filters.ts';
import { countOf, formatCount, formatNumber } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import { useLook } from '../../session/use-look.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useLastWhole } from '../../ui/use-last-whole.ts';
import { AreaDetails } from './area-details.tsx';
import styles from './area-map.module.css';
import { AreaPanel, COUNT } from './area-panel.tsx';
import { BoxDrawing } from './box-drawing.tsx';
import type { ScreenPoint } from './box-shapes.ts';
import { categoryClasses, toCategoryValues } from './categories.ts';
import { allowedColour, colourChoices, describeColour, leaveOnePeriod } from './colours.ts';
import view from './dataset-map.module.css';
import type { ValueMap as OpenedMap } from './open-value-map.ts';
import { TotalsNote } from './totals-note.tsx';
import { classThresholds } from './value-classes.ts';
import { ValueMap } from './value-map.tsx';

const NO_VALUES: ReadonlyMap<string, null> = new Map();

/** The records of a dataset in the areas that they are about, in the colours of a measure or of a category. */
export function AreaMap({
  reference,
  layer,
  shapeChoice,
}: {
  readonly reference: DataReference;
  readonly layer: RecordLayer;
  /** Leads to another kind of map, where there is one. */
  readonly shapeChoice: ReactNode;
}) {
  const session = useSession();
  const address = useSearch({ from: '/datasets/$dataset/map' });
  const navigate = useNavigate({ from: '/datasets/$dataset/map' });
  const change = (changed: Partial<MapAddress>): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), resetScroll: false });
  const { filters = [], box, classes, hidden } = address;
  const [hovered, setHovered] = useState<string>();
  const [chosen, setChosen] = useState<{ readonly id: string; readonly name: string }>();

  const map = useRef<OpenedMap>(undefined);
  const [isDrawing, setDrawing] = useState(false);

  const { start } = layer;
  const periods = useQuery(periodStartsQuery(session, reference.name, start?.name));
  const totals = useQuery(
    totalsQuery(session, reference.name, { filters, area: layer.field.name }),
  );
  const isFiltered = filters.some(({ fieldName }) => fieldName === start?.name);
  const period = isFiltered ? 'all' : (address.period ?? periods.data?.[0] ?? 'all');
  const selected = useMemo(
    () => [
      ...(withTotals(filters, totals.data) ?? []),
      ...(start === undefined || period === 'all' ? [] : [periodFilter(start.name, period)]),
    ],
    [filters, totals.data, start, period],
  );
  const isOnePeriod =
    period !== 'all' ||
    leaveOnePeriod(filters, reference.fields, start === undefined ? [] : [start.name]);
  const choices = useMemo(
    () => colourChoices(reference.fields, [layer.field.name], { isOnePeriod }),
    [reference.fields, layer.field.name, isOnePeriod],
  );
  const colour =
    address.colour === COUNT
      ? undefined
      : (allowedColour(address.colour, choices) ?? firstColour(choices));
  const asked = { dataset: reference.name, field: layer.field.name, filters: selected, box };
  const isKnown =
    periods.data !== undefined && totals.data !== undefined && !totals.isPlaceholderData;
  const look = useLook({
    what: 'the areas',
    most: !isKnown ? 0 : Math.min(reference.rowCount, AREAS_MAX),
    cost: areasCostQuery(session, asked),
  });
  const areas = useQuery({
    ...areaValuesQuery(session, { ...asked, colour }),
    enabled: isKnown && look.isOn,
    placeholderData: keepPreviousData,
  });
  const { isPlaceholderData } = areas;
  const read = { data: areas.data, colour, period };
  // While others are read, the map shows the values before, and says so.
  const { data, ...of } = useLastWhole(read, isPlaceholderData);
  const category = categoryField(of.colour);
  const shown = useMemo(
    () =>
      category === undefined
        ? { names: undefined, values: numbersOf(data?.values ?? NO_VALUES) }
        : toCategoryValues(textsOf(data?.values ?? NO_VALUES)),
    [data, category],
  );
  const thresholds = useMemo(() => {
    if (shown.names !== undefined) return categoryClasses(shown.names);
    return classes === undefined || typeof classes === 'string'
      ? classThresholds(shown.values.values(), classes)
      : classes;
  }, [shown, classes]);
  const chosenSet = useMemo(() => new Set(chosen === undefined ? [] : [chosen.id]), [chosen]);
  const failed = periods.error ?? totals.error ?? areas.error;
  const words = of.colour === undefined ? 'Number of records' : describeColour(of.colour);
  const title = of.period === 'all' ? words : `${words}, ${periodText(reference, of.period)}`;
  const valueText = (id: string): string => {
    const value = data?.values.get(id) ?? null;
    if (data?.withheld.has(id)) return 'withheld: too small to show';
    if (value === null) return data?.values.has(id) ? 'no value' : 'no records';
    return typeof value === 'number' ? formatNumber(value) : value;
  };
  /** Records without points are in no box: those of the areas that it touches are left. */
  const takeBox = (one?: ScreenPoint, other?: ScreenPoint): void => {
    setDrawing(false);
    if (map.current === undefined) return;
    if (reference.options.boundingBox.available) {
      change({ box: map.current.boxBetween(one, other) });
      return;
    }
    const values = map.current.findBetween(one, other);
    const fieldName = layer.field.name;
    const others = filters.filter((one) => one.fieldName !== fieldName || one.operator !== 'in');
    if (values.length > 0) change({ filters: [...others, { fieldName, operator: 'in', values }] });
  };
  const selection = { filters: selected.length === 0 ? undefined : selected, box };
  return (
    <div className={view.view}>
      <AreaPanel
        shapeChoice={shapeChoice}
        reference={reference}
        address={address}
        choices={choices}
        colour={colour}
        periods={isFiltered || start === undefined ? [] : periods.data}
        period={period}
        periodText={(day) => periodText(reference, day)}
        thresholds={
          categoryField(colour) !== undefined
            ? undefined
            : shown.names === undefined
              ? thresholds
              : []
        }
        selection={selection}
        isDrawing={isDrawing}
        onDraw={() => setDrawing(!isDrawing)}
        onView={() => takeBox()}
        onPlace={({ longitude, latitude, zoom }) => map.current?.flyTo([longitude, latitude, zoom])}
        onChange={change}
      />
      <div className={view.main}>
        {failed !== null && (
          <Problem
            error={failed}
            onRetry={() => {
              for (const one of [periods, totals, areas])
                if (one.error !== null) void one.refetch();
            }}
          />
        )}
        {look.question}
        {look.question === undefined && data === undefined && failed === null && (
          <Loading what="the values of the areas" isLarge />
        )}
        {data !== undefined && look.question === undefined && (
          <div className={styles.map} aria-busy={isPlaceholderData}>
            <ValueMap
              layer={layer}
              title={title}
              subtitle={filtersText(reference, withTotals(filters, totals.data))}
              values={shown.values}
              withheld={data.withheld}
              classes={thresholds}
              {...(shown.names === undefined ? {} : { categories: shown.names })}
              format={formatNumber}
              describe={(id, name) => (
                <>
                  <strong>{name ?? id}</strong>
                  <div>{valueText(id)}</div>
                  {(data.counts.get(id) ?? 0) > 1 && (
                    <div>{countOf(data.counts.get(id) ?? 0, 'record')}</div>
                  )}
                </>
              )}
              hovered={hovered}
              onHover={setHovered}
              chosen={chosenSet}
              onChoose={(id, name = id) => setChosen(chosen?.id === id ? undefined : { id, name })}
              source={reference.dataProductDisplayName}
              isStale={isPlaceholderData}
              hidden={hidden}
              onHidden={(next) => change({ hidden: next })}
              box={box}
              opened={map}
            >
              {isDrawing && <BoxDrawing onBox={takeBox} onEnd={() => setDrawing(false)} />}
            </ValueMap>
          </div>
        )}
        {chosen !== undefined && (
          <AreaDetails
            reference={reference}
            layer={layer}
            area={chosen}
            words={words}
            value={valueText(chosen.id)}
            selection={selection}
            onClose={() => setChosen(undefined)}
          />
        )}
        <div className={styles.status}>
          {data !== undefined && (
            <p role="status">
              {`${countOf(data.values.size, 'area')} with records.`}
              {data.isCut && ` Only the first ${formatCount(AREAS_MAX)} are shown.`}
            </p>
          )}
          <TotalsNote
            reference={reference}
            totals={totals.data?.filters ?? []}
            onParts={(parts) => change({ filters: [...filters, ...parts], hidden: undefined })}
          />
        </div>
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

/** A measure says more about areas than the number of their records, which is often one. */
function firstColour(choices: readonly { readonly value: Colour | 'count' }[]): Colour | undefined {
  const measure = choices.find(({ value }) => value !== 'count')?.value;
  return measure === 'count' ? undefined : measure;
}

function numbersOf(values: ReadonlyMap<string, number | string | null>) {
  return new Map([...values].map(([id, value]) => [id, typeof value === 'number' ? value : null]));
}

function textsOf(values: ReadonlyMap<string, number | string | null>) {
  return new Map([...values].map(([id, value]) => [id, value === null ? null : String(value)]));
}

function periodText({ cadence }: DataReference, day: string): string {
  if (cadence === 'YEARLY') return day.slice(0, 4);
  if (cadence !== 'MONTHLY') return formatDay(day);
  return MONTH.format(new Date(`${day}T00:00:00Z`));
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
