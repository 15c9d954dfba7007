import type { DataReference, FilterClause } from '@locmetrics/client';
import type { ReactNode } from 'react';
import type { Selection } from '../../data/selection.ts';
import { formatBox } from '../../format/box.ts';
import { filterWords } from '../../format/filters.ts';
import { Button } from '../../ui/button.tsx';
import { PopoverForm } from '../../ui/popover-form.tsx';
import { Chip } from './chip.tsx';
import { FilterEditor } from './filter-editor.tsx';
import styles from './selection-bar.module.css';
import type { SelectionProblem } from './selection-problem.ts';

/** The filters and the box of a selection, to add, change and remove; a refused one says why. */
export function SelectionBar({
  reference,
  selection,
  onChange,
  problem,
  boxLink,
}: {
  readonly reference: DataReference;
  readonly selection: Selection;
  readonly onChange: (selection: Selection) => void;
  readonly problem?: SelectionProblem | undefined;
  /** A link to where the box was drawn. */
  readonly boxLink?: ReactNode;
}) {
  const { filters = [], box } = selection;
  const change = (next: readonly FilterClause[]): void =>
    onChange({ box, filters: next.length === 0 ? undefined : next });
  const without = (index: number): readonly FilterClause[] => filters.toSpliced(index, 1);
  return (
    <section className={styles.bar} aria-label="Filters">
      <PopoverForm title="Add a filter" trigger={<Button>+ Add filter</Button>}>
        {(close) => (
          <FilterEditor
            reference={reference}
            rest={selection}
            onApply={(filter) => {
              close();
              change([...filters, filter]);
            }}
            onCancel={close}
          />
        )}
      </PopoverForm>
      {(filters.length > 0 || box !== undefined) && (
        <ul className={styles.chips} aria-label="Filters in use">
          {filters.map((filter, index) => (
            <FilterChip
              // Two equal filters differ by their place alone.
              // biome-ignore lint/suspicious/noArrayIndexKey: filters have no other name
              key={index}
              reference={reference}
              filter={filter}
              rest={{ box, filters: without(index) }}
              problem={problem?.filters.get(index)}
              onChange={(next) => change(filters.with(index, next))}
              onRemove={() => change(without(index))}
            />
          ))}
          {box !== undefined && (
            <Chip
              name={`in the box ${formatBox(box)}`}
              onRemove={() => onChange({ filters: selection.filters, box: undefined })}
              problem={problem?.box}
            >
              <span>
                in the box <strong>{formatBox(box)}</strong> {boxLink}
              </span>
            </Chip>
          )}
        </ul>
      )}
      {filters.length + (box === undefined ? 0 : 1) > 1 && (
        <Button kind="quiet" onPress={() => onChange({ filters: undefined, box: undefined })}>
          Clear all
        </Button>
      )}
    </section>
  );
}

function FilterChip({
  reference,
  filter,
  rest,
  problem,
  onChange,
  onRemove,
}: {
  readonly reference: DataReference;
  readonly filter: FilterClause;
  readonly rest: Selection;
  readonly problem: string | undefined;
  readonly onChange: (filter: FilterClause) => void;
  readonly onRemove: () => void;
}) {
  const words = filterWords(
    filter,
    reference.fields.find(({ name }) => name === filter.fieldName),
  );
  const name = [words.field, words.operator, words.value].join(' ').trim();
  return (
    <Chip name={name} onRemove={onRemove} problem={problem}>
      <PopoverForm
        title="Change the filter"
        trigger={
          <Button
            kind="quiet"
            size="small"
            className={styles.edit ?? ''}
            aria-label={`Change ${name}`}
          >
            <code>{words.field}</code> {words.operator}{' '}
            {words.value !== '' && (
              <strong className={styles.value} dir="auto">
                {words.value}
              </strong>
            )}
          </Button>
        }
      >
        {(close) => (
          <FilterEditor
            reference={reference}
            filter={filter}
            rest={rest}
            onApply={(next) => {
              close();
              onChange(next);
            }}
            onCancel={close}
          />
        )}
      </PopoverForm>
    </Chip>
  );
}
