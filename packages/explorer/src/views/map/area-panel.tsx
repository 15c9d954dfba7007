import type { DataReference } from '@locmetrics/client';
import type { Colour, MapAddress } from '../../data/map-address.ts';
import type { Selection } from '../../data/selection.ts';
import { recordsHref } from '../../data/view-links.ts';
import { filterText } from '../../format/filters.ts';
import { Chip } from '../../ui/chip.tsx';
import { type Choice, Select } from '../../ui/select.tsx';
import { ClassChoice } from './class-choice.tsx';
import styles from './map-panel.module.css';

/** The number of records, in an address: a map of areas without a colour shows the first measure. */
export const COUNT: Colour = 'sum:*';

/** The tools beside the map of areas: its colours, its period and the filters. */
export function AreaPanel({
  reference,
  address: { filters, box, classes },
  choices,
  colour,
  periods,
  period,
  periodText,
  thresholds,
  selection,
  onChange,
}: {
  readonly reference: DataReference;
  readonly address: MapAddress;
  readonly choices: readonly Choice<Colour | 'count'>[];
  readonly colour: Colour | undefined;
  /** The first days of the periods to choose from; fewer than two leave no choice. */
  readonly periods: readonly string[];
  readonly period: string;
  readonly periodText: (day: string) => string;
  /** Those between classes; undefined for categories. */
  readonly thresholds: readonly number[] | undefined;
  readonly selection: Selection;
  readonly onChange: (changed: Partial<MapAddress>) => void;
}) {
  const isFirst = (value: Colour | 'count'): boolean =>
    choices.find((one) => one.value !== 'count')?.value === value;
  return (
    <div className={styles.panel}>
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
      {periods.length > 1 && (
        <Select
          label="Period"
          choices={[
            ...periods.map((day) => ({ value: day, label: periodText(day) })),
            { value: 'all', label: 'All periods' },
          ]}
          value={period}
          onChange={(day) => onChange({ period: day === periods[0] ? undefined : day })}
        />
      )}
      {thresholds !== undefined && (
        <ClassChoice
          classes={classes}
          thresholds={thresholds}
          onClasses={(next) => onChange({ classes: next, hidden: undefined })}
        />
      )}
      <ul className={styles.chips} aria-label="Filters">
        {filters?.map((filter, index) => (
          <Chip
            key={JSON.stringify(filter)}
            removeLabel={`Remove the filter ${filterText(reference, filter)}`}
            onRemove={() => {
              const others = filters.toSpliced(index, 1);
              onChange({ filters: others.length === 0 ? undefined : others });
            }}
          >
            {filterText(reference, filter)}
          </Chip>
        ))}
      </ul>
      <a href={recordsHref(reference.name, selection)}>Show these records</a>
      <a href={recordsHref(reference.name, { filters, box })}>
        {filters === undefined ? 'Filter the records' : 'Edit the filters'}
      </a>
    </div>
  );
}
