import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, memo, type UIEvent, useEffect, useRef, useState } from 'react';
import { aggregatesQuery } from '../../data/metric-aggregates.ts';
import type { Sort, SortKey } from '../../data/metric-view.ts';
import { periodsOf } from '../../format/periods.ts';
import { useSession } from '../../session/session-context.tsx';
import { useDelayed } from '../../ui/use-delayed.ts';
import { HatchMark } from '../map/hatch-mark.tsx';
import { Sparkline } from '../map/sparkline.tsx';
import { changePercent } from './change-percent.ts';
import { formatValue } from './chart-data.ts';
import styles from './place-list.module.css';
import { firstSort, isDescending, type Ranked, sortKey } from './ranking.ts';
import { sparkBucket, toSparks } from './spark-series.ts';
import { type Asked, toSparkRequest } from './to-aggregates.ts';

const ROW_PX = 44;
/** Rows that are drawn above and below those in view. */
const MARGIN_ROWS = 8;
/** The small lines of so many rows are read together. */
const SPARK_ROWS = 20;

/** The places or groups in their order, of which only those in view are drawn. */
export function PlaceList({
  caption,
  placeWord,
  valueWord,
  rows,
  withheld,
  asked,
  sort,
  isNameSortable,
  isCompared,
  colours,
  hovered,
  revealed,
  onSort,
  onHover,
  onChoose,
}: {
  /** The name of the list, for screen readers. */
  readonly caption: string;
  readonly placeWord: string;
  readonly valueWord: string;
  readonly rows: readonly Ranked[];
  /** The ids of places without a number because it is withheld. */
  readonly withheld: ReadonlySet<string>;
  readonly asked: Asked;
  readonly sort: Sort;
  readonly isNameSortable: boolean;
  readonly isCompared: boolean;
  /** The colours of those in the chart, by their ids. A weak one is suggested, not chosen. */
  readonly colours: ReadonlyMap<string, RowColour>;
  readonly hovered: string | undefined;
  /** The row to bring into view. */
  readonly revealed: string | undefined;
  readonly onSort: (sort: Sort) => void;
  readonly onHover: (id: string | undefined) => void;
  readonly onChoose: (id: string) => void;
}) {
  const frame = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setView((before) => ({ ...before, height: element.clientHeight })),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Another order begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list moves when its order has changed
  useEffect(() => {
    if (frame.current !== null) frame.current.scrollTop = 0;
  }, [sort]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list moves when another row is to be seen
  useEffect(() => {
    const index = rows.findIndex(({ row }) => row.id === revealed);
    if (index !== -1 && frame.current !== null) reveal(frame.current, index);
  }, [revealed]);
  const first = Math.max(0, Math.floor(view.top / ROW_PX) - MARGIN_ROWS);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW_PX) + MARGIN_ROWS);
  const sparks = useSparks({ rows, asked, first: Math.floor(view.top / ROW_PX) });
  const periodsWord = periodsOf(asked.parts.metric.spec.cadence);
  const heading = (key: SortKey, text: string, className: string) => (
    <SortHeading
      text={text}
      className={className}
      sort={sort}
      sortBy={key}
      onSort={key === 'name' && !isNameSortable ? undefined : onSort}
    />
  );
  return (
    <section
      ref={frame}
      className={styles.frame}
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keyboard
      tabIndex={0}
      onScroll={({ currentTarget }: UIEvent<HTMLElement>) =>
        setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
      onPointerLeave={() => onHover(undefined)}
    >
      <table className={styles.table} aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={styles.rank}>
              <span className="visually-hidden">Rank</span>
              <span aria-hidden="true">#</span>
            </th>
            {heading('name', placeWord, styles.name ?? '')}
            <th scope="col" className={styles.spark}>
              <span className="visually-hidden">Over time</span>
            </th>
            {heading('value', valueWord, styles.value ?? '')}
            {isCompared && (
              <>
                {heading('change', 'Change', styles.change ?? '')}
                {heading('percent', 'Change %', styles.percent ?? '')}
              </>
            )}
          </tr>
        </thead>
        <tbody>
          <Space rows={first} />
          {rows.slice(first, last).map((ranked, index) => (
            <PlaceRow
              key={ranked.row.id}
              ranked={ranked}
              index={first + index + 2}
              isCompared={isCompared}
              colour={colours.get(ranked.row.id)}
              isHovered={hovered === ranked.row.id}
              isWithheld={withheld.has(ranked.row.id)}
              spark={sparks.get(ranked.row.id)}
              periodsWord={periodsWord}
              onHover={onHover}
              onChoose={onChoose}
            />
          ))}
          <Space rows={rows.length - last} />
        </tbody>
      </table>
      {rows.length === 0 && <p className={styles.empty}>Nothing matches.</p>}
    </section>
  );
}

/** Moves a list so that a row is in view, if it is not. */
function reveal(frame: HTMLElement, index: number): void {
  const head = frame.querySelector('thead')?.clientHeight ?? 0;
  const top = index * ROW_PX;
  const isSeen =
    top >= frame.scrollTop && top + ROW_PX + head <= frame.scrollTop + frame.clientHeight;
  if (!isSeen) frame.scrollTop = top - (frame.clientHeight - head - ROW_PX) / 2;
}

export type RowColour = { readonly colour: string; readonly isSuggested: boolean };

function Space({ rows }: { readonly rows: number }) {
  if (rows <= 0) return null;
  return (
    <tr>
      <td aria-hidden="true" className={styles.space} style={{ height: rows * ROW_PX }} />
    </tr>
  );
}

function SortHeading({
  text,
  className,
  sort,
  sortBy,
  onSort,
}: {
  readonly text: string;
  readonly className: string;
  readonly sort: Sort;
  readonly sortBy: SortKey;
  readonly onSort: ((sort: Sort) => void) | undefined;
}) {
  const isSorted = sortKey(sort) === sortBy;
  const direction = isDescending(sort) ? 'descending' : 'ascending';
  const next = (): Sort => {
    if (!isSorted) return firstSort(sortBy);
    return isDescending(sort) ? sortBy : `-${sortBy}`;
  };
  return (
    <th scope="col" className={className} aria-sort={isSorted ? direction : undefined}>
      {onSort === undefined ? (
        text
      ) : (
        <button type="button" className={styles.sort} title={text} onClick={() => onSort(next())}>
          <span className={styles.sortText}>{text}</span>{' '}
          <span aria-hidden="true" className={isSorted ? '' : styles.unsorted}>
            {isSorted && direction === 'descending' ? '↓' : '↑'}
          </span>
        </button>
      )}
    </th>
  );
}

const PlaceRow = memo(function PlaceRow({
  ranked: { row, rank },
  index,
  isCompared,
  colour,
  isHovered,
  isWithheld,
  spark,
  periodsWord,
  onHover,
  onChoose,
}: {
  readonly ranked: Ranked;
  readonly index: number;
  readonly isCompared: boolean;
  readonly colour: RowColour | undefined;
  readonly isHovered: boolean;
  readonly isWithheld: boolean;
  readonly spark: readonly (number | null)[] | undefined;
  readonly periodsWord: string;
  readonly onHover: (id: string | undefined) => void;
  readonly onChoose: (id: string) => void;
}) {
  const missing = row.periods - row.periodsWithValues;
  const isChosen = colour !== undefined && !colour.isSuggested;
  const percent = row.percent === undefined ? undefined : changePercent(row.percent);
  return (
    <tr
      aria-rowindex={index}
      className={styles.row}
      data-hovered={isHovered || undefined}
      data-chosen={isChosen || undefined}
      onPointerEnter={() => onHover(row.id)}
      onClick={(event: MouseEvent) => {
        const isOnButton = event.target instanceof Element && event.target.closest('button');
        if (isOnButton === null && getSelection()?.isCollapsed !== false) onChoose(row.id);
      }}
    >
      <td className={styles.rank}>{rank ?? ''}</td>
      <td className={styles.name}>
        <button
          type="button"
          className={styles.choose}
          aria-pressed={isChosen}
          title={row.id === row.name ? row.id : `${row.name} (${row.id})`}
          onClick={() => onChoose(row.id)}
          onFocus={() => onHover(row.id)}
        >
          <span
            className={styles.mark}
            data-suggested={colour?.isSuggested || undefined}
            style={
              colour === undefined
                ? undefined
                : {
                    borderColor: colour.colour,
                    background: colour.isSuggested ? 'transparent' : colour.colour,
                  }
            }
            aria-hidden="true"
          />
          <span className={styles.text} dir="auto">
            {row.name}
          </span>
          {row.detail !== '' && (
            <span className={styles.detail} dir="auto">
              {row.detail}
            </span>
          )}
        </button>
      </td>
      <td className={styles.spark}>
        {spark?.some((value) => value !== null) && (
          <Sparkline values={spark} className={styles.line ?? ''} />
        )}
      </td>
      <td className={styles.value}>
        {row.value === null ? (
          <NoValue isWithheld={isWithheld} />
        ) : (
          formatValue(row.value, { unit: '' })
        )}
        {row.value !== null && missing > 0 && (
          <span className={styles.missing} title="Periods with a value">
            {row.periodsWithValues} of {row.periods} {periodsWord}
          </span>
        )}
      </td>
      {isCompared && (
        <>
          <td className={styles.change}>{formatChange(row.change)}</td>
          <td className={styles.percent} data-falls={percent?.falls || undefined}>
            {percent === undefined ? (
              <span className={styles.absent} title="There is nothing to compare with">
                –<span className="visually-hidden"> nothing to compare with</span>
              </span>
            ) : (
              percent.text
            )}
          </td>
        </>
      )}
    </tr>
  );
});

function NoValue({ isWithheld }: { readonly isWithheld: boolean }) {
  return isWithheld ? (
    <span className={styles.absent} title="There is a value, but it is too small to show">
      <HatchMark isWithheld /> withheld
    </span>
  ) : (
    <span className={styles.absent} title="There is no value, or it is withheld from you">
      no value
    </span>
  );
}

const CHANGE = new Intl.NumberFormat('en-US', {
  maximumFractionDigits: 3,
  signDisplay: 'exceptZero',
});
const LARGE_CHANGE = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

function formatChange(change: number | undefined): string {
  if (change === undefined) return '–';
  return (Math.abs(change) >= 1_000_000 ? LARGE_CHANGE : CHANGE).format(change);
}

const NO_SPARKS: ReadonlyMap<string, readonly (number | null)[]> = new Map();

/** The small lines of the rows in view, which are read in parts. */
function useSparks({
  rows,
  asked,
  first,
}: {
  readonly rows: readonly Ranked[];
  readonly asked: Asked;
  readonly first: number;
}): ReadonlyMap<string, readonly (number | null)[]> {
  const session = useSession();
  const bucket = sparkBucket(asked.parts.metric);
  const wanted = Math.floor(first / SPARK_ROWS);
  // While the list is scrolled fast, nothing is read.
  const part = Number(useDelayed(String(wanted)));
  const idsOf = (at: number): readonly string[] =>
    rows
      .slice(at * SPARK_ROWS, (at + 1) * SPARK_ROWS)
      .map(({ row }) => row.id)
      .filter((id) => id !== '')
      .toSorted();
  const queryOf = (ids: readonly string[]) => ({
    ...aggregatesQuery(session, toSparkRequest(asked, ids, bucket === 'none' ? undefined : bucket)),
    enabled: bucket !== 'none' && ids.length > 0,
  });
  const { data } = useQuery(queryOf(idsOf(part)));
  const { data: next } = useQuery(queryOf(idsOf(part + 1)));
  if (data === undefined && next === undefined) return NO_SPARKS;
  return toSparks([...(data?.rows ?? []), ...(next?.rows ?? [])]);
}
