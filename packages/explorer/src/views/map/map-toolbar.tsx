import type { DataReference, FilterClause } from '@locmetrics/client';
import type { Box } from '../../data/box.ts';
import type { Colour, MapAddress } from '../../data/map-address.ts';
import { recordsHref } from '../../data/view-links.ts';
import { filterWords } from '../../format/filters.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Select } from '../../ui/select.tsx';
import { BoxChip } from './box-chip.tsx';
import { colourChoices } from './colours.ts';
import styles from './map-toolbar.module.css';

/** The tools above the map: its colours, the filters, and the box with its records. */
export function MapToolbar({
  reference,
  address: { filters, box, colour },
  isDrawing,
  onDraw,
  viewBox,
  onBox,
  onColour,
  onFilters,
}: {
  readonly reference: DataReference;
  readonly address: MapAddress;
  readonly isDrawing: boolean;
  readonly onDraw: () => void;
  readonly viewBox: Box | undefined;
  readonly onBox: (box: Box | undefined) => void;
  readonly onColour: (colour: Colour | undefined) => void;
  readonly onFilters: (filters: readonly FilterClause[] | undefined) => void;
}) {
  const choices = colourChoices(reference.fields);
  const words = (filter: FilterClause): string => {
    const field = reference.fields.find(({ name }) => name === filter.fieldName);
    return Object.values(filterWords(filter, field)).join(' ').trim();
  };
  return (
    <div className={styles.toolbar}>
      {choices.length > 1 && (
        <div className={styles.colour}>
          <Select
            label="Colour by"
            choices={choices}
            value={colour ?? 'count'}
            onChange={(next) => onColour(next === 'count' ? undefined : next)}
          />
        </div>
      )}
      <Button aria-pressed={isDrawing} onPress={onDraw}>
        {isDrawing ? 'Stop drawing' : 'Draw a box'}
      </Button>
      {viewBox !== undefined && (
        <Button onPress={() => onBox(viewBox)}>Use this view as the box</Button>
      )}
      <ul className={styles.chips} aria-label="Filters">
        {filters?.map((filter, index) => (
          <Chip
            key={JSON.stringify(filter)}
            removeLabel={`Remove the filter ${words(filter)}`}
            onRemove={() => {
              const others = filters.toSpliced(index, 1);
              onFilters(others.length === 0 ? undefined : others);
            }}
          >
            {words(filter)}
          </Chip>
        ))}
        {box !== undefined && (
          <BoxChip
            dataset={reference.name}
            filters={filters}
            box={box}
            onRemove={() => onBox(undefined)}
          />
        )}
      </ul>
      <a href={recordsHref(reference.name, { filters, box })}>
        {filters === undefined ? 'Filter the records' : 'Edit the filters'}
      </a>
    </div>
  );
}
