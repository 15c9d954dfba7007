import { useState } from 'react';
import { countOf, formatCount } from '../../format/numbers.ts';
import { foldText } from '../../format/words.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './category-list.module.css';
import { type CategoryRow, categoryTone } from './category-values.ts';
import { toneColour } from './chart-data.ts';

/** A longer list is drawn only if asked for. */
const FIRST_ROWS = 500;

/** The places with their categories in the period, by name or by category. */
export function CategoryList({
  caption,
  placeWord,
  categoryWord,
  rows,
  coloured,
  chosen,
  isStale,
  onHover,
  onChoose,
}: {
  readonly caption: string;
  readonly placeWord: string;
  readonly categoryWord: string;
  readonly rows: readonly CategoryRow[];
  readonly coloured: readonly string[];
  readonly chosen: ReadonlySet<string>;
  /** Other rows are on their way. */
  readonly isStale: boolean;
  readonly onHover: (id: string | undefined) => void;
  readonly onChoose: (id: string) => void;
}) {
  const [text, setText] = useState('');
  const [isByCategory, setByCategory] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const wanted = foldText(text);
  const found = rows.filter(({ id, name, detail, category }) =>
    foldText(`${name} ${detail} ${id} ${category ?? ''}`).includes(wanted),
  );
  const sorted = isByCategory
    ? found.toSorted((one, other) => order(one.category, other.category))
    : found;
  const shown = isWhole ? sorted : sorted.slice(0, FIRST_ROWS);
  const heading = (words: string, isSorted: boolean, sortBy: boolean) => (
    <button type="button" className={styles.sort} onClick={() => setByCategory(sortBy)}>
      {words} {isSorted && <span aria-hidden="true">↑</span>}
    </button>
  );
  const columns: readonly Column<CategoryRow>[] = [
    {
      id: 'place',
      header: heading(placeWord, !isByCategory, false),
      sort: isByCategory ? undefined : 'ascending',
      cell: ({ id, name, detail }) => (
        <button
          type="button"
          className={styles.place}
          aria-pressed={chosen.has(id)}
          onClick={() => onChoose(id)}
          onFocus={() => onHover(id)}
          onPointerEnter={() => onHover(id)}
        >
          <span dir="auto">{name}</span>{' '}
          {detail !== '' && (
            <span className={styles.detail} dir="auto">
              {detail}
            </span>
          )}
        </button>
      ),
    },
    {
      id: 'category',
      header: heading(categoryWord, isByCategory, true),
      sort: isByCategory ? 'ascending' : undefined,
      cell: ({ category }) =>
        category === null ? (
          <span className={styles.absent}>no value</span>
        ) : (
          <span dir="auto">
            <span
              className={styles.mark}
              style={{ background: toneColour(categoryTone(coloured, category)) }}
            />
            {category}
          </span>
        ),
    },
  ];
  return (
    <div
      className={styles.panel}
      aria-busy={isStale}
      data-stale={isStale || undefined}
      onPointerLeave={() => onHover(undefined)}
    >
      <TextField
        label="Find in the list"
        isLabelHidden
        type="search"
        placeholder={`Find among ${countOf(rows.length, 'row')}`}
        value={text}
        onChange={setText}
      />
      <DataTable
        caption={caption}
        columns={columns}
        rows={shown}
        rowKey={({ id }) => id}
        onRowClick={({ id }) => onChoose(id)}
        empty="Nothing matches."
        isTall
      />
      <p className={styles.absent} role="status">
        {countOf(found.length, 'row')}
      </p>
      {shown.length < sorted.length && (
        <Button size="small" onPress={() => setWhole(true)}>
          Show all {formatCount(sorted.length)} rows
        </Button>
      )}
    </div>
  );
}

/** Places without a category come last. */
function order(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one < other ? -1 : Number(one > other);
}
