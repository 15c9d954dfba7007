import type { DataReference } from '@locmetrics/client';
import type { ReactNode } from 'react';
import type { Colour, MapAddress } from '../../data/map-address.ts';
import type { Selection } from '../../data/selection.ts';
import { type Choice, Select } from '../../ui/select.tsx';
import { BoxButtons } from './box-buttons.tsx';
import { ClassChoice } from './class-choice.tsx';
import { FindPlace } from './find-place.tsx';
import { MapSelection } from './map-selection.tsx';
import { MapTools } from './map-tools.tsx';
import type { NamedPlace } from './named-places.ts';

/** The number of records, in an address: a map of areas without a colour shows the first measure. */
export const COUNT: Colour = 'sum:*';

/** The tools beside the map of areas: a place to go to, its colours, its period, the filters and the box. */
export function AreaPanel({
  shapeChoice,
  reference,
  address: { filters, classes },
  choices,
  colour,
  periods,
  period,
  periodText,
  thresholds,
  selection,
  isDrawing,
  onDraw,
  onView,
  onPlace,
  onChange,
}: {
  readonly shapeChoice: ReactNode;
  readonly reference: DataReference;
  readonly address: MapAddress;
  readonly choices: readonly Choice<Colour | 'count'>[];
  readonly colour: Colour | undefined;
  /** The first days of the periods to choose from, none if there is no choice; undefined while they are read. */
  readonly periods: readonly string[] | undefined;
  readonly period: string;
  readonly periodText: (day: string) => string;
  /** Those between classes; undefined for categories. */
  readonly thresholds: readonly number[] | undefined;
  /** The records that are shown. */
  readonly selection: Selection;
  readonly isDrawing: boolean;
  readonly onDraw: () => void;
  readonly onView: () => void;
  readonly onPlace: (place: NamedPlace) => void;
  readonly onChange: (changed: Partial<MapAddress>) => void;
}) {
  const isFirst = (value: Colour | 'count'): boolean =>
    choices.find((one) => one.value !== 'count')?.value === value;
  return (
    <MapTools selection={{ filters, box: selection.box }}>
      <FindPlace onPlace={onPlace} />
      {choices.length > 1 && (
        <Select
          label="Colour by"
          choices={choices}
          value={colour ?? 'count'}
          onChange={(next) =>
            onChange({
              colour: isFirst(next) ? undefined : next === 'count' ? COUNT : next,
              classes: undefined,
              hidden: undefined,
            })
          }
        />
      )}
      {(periods === undefined || periods.length > 0) && (
        <Select
          label="Period"
          choices={
            periods === undefined
              ? [{ value: period, label: 'Reading…' }]
              : [
                  ...periods.map((day) => ({ value: day, label: periodText(day) })),
                  { value: 'all', label: 'All periods' },
                ]
          }
          value={period}
          onChange={(day) => onChange({ period: day === periods?.[0] ? undefined : day })}
        />
      )}
      {thresholds !== undefined && (
        <ClassChoice
          classes={classes}
          thresholds={thresholds}
          onClasses={(next) => onChange({ classes: next, hidden: undefined })}
        />
      )}
      <BoxButtons isDrawing={isDrawing} onDraw={onDraw} onView={onView} />
      <MapSelection
        reference={reference}
        filters={filters}
        shown={selection}
        onFilters={(next) => onChange({ filters: next })}
        onRemoveBox={() => onChange({ box: undefined })}
      />
      {shapeChoice}
    </MapTools>
  );
}
