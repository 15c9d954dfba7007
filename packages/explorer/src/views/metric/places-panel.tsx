import type { Sort } from '../../data/metric-view.ts';
import { countOf, formatCount } from '../../format/numbers.ts';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { PlaceList, type RowColour } from './place-list.tsx';
import styles from './places-panel.module.css';
import { sortKey } from './ranking.ts';
import type { Asked } from './to-aggregates.ts';
import type { Ranking } from './use-ranking.ts';

/** The list of all places or groups, with a search and what it leaves out. */
export function PlacesPanel({
  caption,
  placeWord,
  valueWord,
  ranking,
  withheld,
  asked,
  sort,
  isCompared,
  search,
  isFull,
  colours,
  hovered,
  revealed,
  onSearch,
  onSort,
  onHover,
  onChoose,
}: {
  readonly caption: string;
  readonly placeWord: string;
  readonly valueWord: string;
  readonly ranking: Ranking;
  /** The ids of places without a number because it is withheld. */
  readonly withheld: ReadonlySet<string>;
  readonly asked: Asked;
  readonly sort: Sort;
  readonly isCompared: boolean;
  readonly search: string;
  /** Whether the chart takes no more. */
  readonly isFull: boolean;
  readonly colours: ReadonlyMap<string, RowColour>;
  readonly hovered: string | undefined;
  /** The row to bring into view. */
  readonly revealed: string | undefined;
  readonly onSearch: (text: string) => void;
  readonly onSort: (sort: Sort) => void;
  readonly onHover: (id: string | undefined) => void;
  readonly onChoose: (id: string) => void;
}) {
  const { rows, found, error, isStale, retry } = ranking;
  if (error !== null) return <Problem error={error} onRetry={retry} />;
  if (rows === undefined) return <Loading what="the values of all places" isLarge />;
  if (rows.length === 0) {
    return (
      <Notice kind="info" title="No place has values in this period that you may see.">
        Choose another period, or remove a filter.
      </Notice>
    );
  }
  return (
    <div className={styles.panel} data-stale={isStale || undefined} aria-busy={isStale}>
      <TextField
        label="Find in the list"
        isLabelHidden
        type="search"
        placeholder={`Find among ${countOf(ranking.total, 'row')}`}
        value={search}
        onChange={onSearch}
      />
      <PlaceList
        caption={caption}
        placeWord={placeWord}
        valueWord={valueWord}
        rows={found}
        withheld={withheld}
        asked={asked}
        sort={sort}
        isNameSortable={ranking.isComplete}
        isCompared={isCompared}
        colours={colours}
        hovered={hovered}
        revealed={revealed}
        onSort={onSort}
        onHover={onHover}
        onChoose={onChoose}
      />
      <p className={styles.foot} role="status">
        {footOf(ranking, withheld, sort)}
        {isFull && ' The chart is full: choose one of its rows again to take it out.'}
      </p>
    </div>
  );
}

/** What the list leaves out, and which rows have no number. */
function footOf(
  { rows = [], total, isComplete }: Ranking,
  withheld: ReadonlySet<string>,
  sort: Sort,
): string {
  const without = rows.filter(({ row }) => row.value === null).length;
  const absent = without - withheld.size;
  const lone = rows.filter(({ rank }) => rank === undefined).length;
  const key = sortKey(sort);
  const parts = [
    isComplete
      ? `${countOf(total, 'row')}.`
      : `The first ${formatCount(rows.length)} of ${countOf(total, 'row')} in this order; a search finds the others.`,
    withheld.size === 0 ? '' : `${formatCount(withheld.size)} withheld: too small to show.`,
    absent === 0
      ? ''
      : withheld.size === 0
        ? `${formatCount(absent)} without a value: there is none, or it is withheld from you.`
        : `${formatCount(absent)} without a value.`,
    lone > without && (key === 'change' || key === 'percent')
      ? `${formatCount(lone - without)} have nothing to compare with.`
      : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}
