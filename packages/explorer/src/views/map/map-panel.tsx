import type { DataReference, FilterClause } from '@locmetrics/client';
import type { ReactNode } from 'react';
import type { Box } from '../../data/box.ts';
import {
  type Classes,
  type Colour,
  categoryField,
  type MapAddress,
} from '../../data/map-address.ts';
import type { Selection } from '../../data/selection.ts';
import { Button } from '../../ui/button.tsx';
import { type Choice, Select } from '../../ui/select.tsx';
import { BoxButtons } from './box-buttons.tsx';
import { ClassChoice } from './class-choice.tsx';
import { isMeasure } from './colours.ts';
import { FindPlace } from './find-place.tsx';
import styles from './map-panel.module.css';
import { MapSelection } from './map-selection.tsx';
import { MapTools } from './map-tools.tsx';
import type { NamedPlace } from './named-places.ts';

/** The tools beside the map: a place to go to, its colours, the filters, and the box with its records. */
export function MapPanel({
  shapeChoice,
  reference,
  address: { filters, colour, classes },
  selection,
  choices,
  thresholds,
  isDrawing,
  onDraw,
  viewBox,
  onBox,
  onColour,
  onClasses,
  onFilters,
  onPlace,
  onSave,
  onSaveSvg,
}: {
  readonly shapeChoice: ReactNode;
  readonly reference: DataReference;
  readonly address: MapAddress;
  /** The records that are shown. */
  readonly selection: Selection;
  readonly choices: readonly Choice<Colour | 'count'>[];
  /** Those between the classes that are shown. */
  readonly thresholds: readonly number[];
  readonly isDrawing: boolean;
  readonly onDraw: () => void;
  readonly viewBox: Box | undefined;
  readonly onBox: (box: Box | undefined) => void;
  readonly onColour: (colour: Colour | undefined) => void;
  readonly onClasses: (classes: Classes | undefined) => void;
  readonly onFilters: (filters: readonly FilterClause[] | undefined) => void;
  readonly onPlace: (place: NamedPlace) => void;
  readonly onSave: () => void;
  /** Absent if the style of the map is not that of the page. */
  readonly onSaveSvg: (() => void) | undefined;
}) {
  return (
    <MapTools selection={{ filters, box: selection.box }}>
      <FindPlace onPlace={onPlace} />
      {/* Also if no measure can be chosen, which is known only later. */}
      {(choices.length > 1 || reference.fields.some(isMeasure)) && (
        <Select
          label="Colour by"
          choices={choices}
          value={colour ?? 'count'}
          onChange={(next) => onColour(next === 'count' ? undefined : next)}
        />
      )}
      {/* Also while no value is read yet: what comes later moves the buttons below from under a pointer. */}
      {categoryField(colour) === undefined && (
        <ClassChoice classes={classes} thresholds={thresholds} onClasses={onClasses} />
      )}
      <BoxButtons
        isDrawing={isDrawing}
        onDraw={onDraw}
        onView={viewBox === undefined ? undefined : () => onBox(viewBox)}
      />
      <MapSelection
        reference={reference}
        filters={filters}
        shown={selection}
        onFilters={onFilters}
        onRemoveBox={() => onBox(undefined)}
      />
      <div className={styles.buttons}>
        <Button onPress={onSave}>Save the map as PNG</Button>
        {onSaveSvg !== undefined && <Button onPress={onSaveSvg}>Save the map as SVG</Button>}
      </div>
      {shapeChoice}
    </MapTools>
  );
}
