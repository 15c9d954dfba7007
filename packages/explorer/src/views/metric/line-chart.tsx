import { type KeyboardEvent, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatNumber } from '../../format/numbers.ts';
import { useScheme } from '../../ui/use-scheme.ts';
import {
  type ChartData,
  lastWithValue,
  type Series,
  toneColour,
  toneOpacity,
  valueText,
} from './chart-data.ts';
import styles from './line-chart.module.css';

/**
 * Lines over time. The cursor follows the pointer and the arrow keys; its point is announced to screen readers as the
 * text of a slider. Absent values are gaps.
 */
export function LineChart({
  data,
  label,
  cursor,
  marked,
  hovered,
  onCursor,
  onHover,
  onPeriod,
  onSelect,
}: {
  readonly data: ChartData;
  /** A name for the chart, for screen readers. */
  readonly label: string;
  /** The index of the point under the cursor. */
  readonly cursor: number | undefined;
  /** Days that have a band behind the lines: the period that is shown elsewhere. */
  readonly marked?: { readonly start: string; readonly end: string } | undefined;
  /** The id of the place that is pointed at, here or elsewhere. */
  readonly hovered?: string | undefined;
  readonly onCursor: (index: number | undefined) => void;
  readonly onHover?: ((placeId: string | undefined) => void) | undefined;
  /** A point was clicked, by its first day. */
  readonly onPeriod?: ((day: string) => void) | undefined;
  /** The indexes of the first and the last point of a part that was dragged over. */
  readonly onSelect?: ((first: number, last: number) => void) | undefined;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const scheme = useScheme();
  // The chart is made once for its data; what it calls may be newer.
  const calls = useRef<Calls>({ onCursor, onHover, onPeriod, onSelect });
  calls.current = { onCursor, onHover, onPeriod, onSelect };
  const mark = useRef(marked);
  mark.current = marked;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the scheme are read from the page
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const chart = new uPlot(
      toOptions({ data, element, calls: () => calls.current, mark: () => mark.current }),
      [data.points.map(({ time }) => time), ...data.series.map(({ values }) => [...values])],
      element,
    );
    plot.current = chart;
    const observer = new ResizeObserver(() => chart.setSize(sizeOf(element)));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
      plot.current = undefined;
    };
  }, [data, scheme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the band is drawn again where it is now
  useEffect(() => plot.current?.redraw(false), [marked]);
  useEffect(() => {
    const chart = plot.current;
    // The lines of years are all of one place.
    if (chart === undefined || data.isByYear || data.series.length < 2) return;
    const at = data.series.findIndex(({ placeId }) => placeId === hovered);
    chart.setSeries(at === -1 ? null : at + 1, { focus: true }, false);
  }, [hovered, data]);

  const last = data.points.length - 1;
  const at = Math.min(cursor ?? lastWithValue(data), last);
  const moveTo = (index: number): void => {
    const chart = plot.current;
    const point = data.points[Math.max(0, Math.min(last, index))];
    if (chart === undefined || point === undefined) return;
    chart.setCursor({ left: chart.valToPos(point.time, 'x'), top: chart.over.clientHeight / 2 });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const day = data.points[at]?.key;
    if (event.key === 'Enter' && day !== undefined) onPeriod?.(day);
    const target = keyTarget(event.key, { at, last });
    if (target === undefined) return;
    event.preventDefault();
    moveTo(target);
  };
  return (
    // A slider says its text whenever it moves, and no more than that.
    <div
      ref={frame}
      className={styles.chart}
      role="slider"
      tabIndex={0}
      aria-label={`${label}. Move with the arrow keys.`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, at)}
      aria-valuetext={describePoint(data, at)}
      onKeyDown={onKeyDown}
      onFocus={() => cursor === undefined && moveTo(at)}
      onBlur={() => plot.current?.setCursor({ left: -10, top: -10 })}
    />
  );
}

const PAGE_POINTS = 12;

function keyTarget(
  key: string,
  { at, last }: { readonly at: number; readonly last: number },
): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return at - 1;
    case 'ArrowRight':
    case 'ArrowUp':
      return at + 1;
    case 'PageDown':
      return at - PAGE_POINTS;
    case 'PageUp':
      return at + PAGE_POINTS;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

function describePoint(data: ChartData, index: number): string {
  const point = data.points[index];
  if (point === undefined) return 'no values';
  const values = data.series
    .filter(({ values: of }) => of[index] !== undefined)
    .map((series) => {
      const isThere = typeof series.values[index] === 'number' || series.withheld?.has(index);
      return `${series.name} ${isThere ? valueText(series, index, data) : 'absent'}`;
    });
  const unit = data.unit === '' ? '' : `, in ${data.unit}`;
  return `${point.label}${unit}: ${values.join('; ')}`;
}

function sizeOf(element: HTMLElement): { readonly width: number; readonly height: number } {
  return { width: element.clientWidth, height: element.clientHeight };
}

type Calls = {
  readonly onCursor: (index: number | undefined) => void;
  readonly onHover?: ((placeId: string | undefined) => void) | undefined;
  readonly onPeriod?: ((day: string) => void) | undefined;
  readonly onSelect?: ((first: number, last: number) => void) | undefined;
};

function toOptions({
  data,
  element,
  calls,
  mark,
}: {
  readonly data: ChartData;
  readonly element: HTMLElement;
  readonly calls: () => Calls;
  readonly mark: () => Marked;
}): uPlot.Options {
  const colour = (name: string): string => readColour(element, name);
  const ink = colour('var(--ink-muted)');
  const isFocused = !data.isByYear && data.series.length > 1;
  const axis: uPlot.Axis = {
    stroke: ink,
    font: `12px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: colour('var(--line)'), width: 1 },
    ticks: { stroke: colour('var(--line)'), width: 1, size: 4 },
  };
  return {
    ...sizeOf(element),
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { y: { range: (_, min, max) => toRange(min, max) } },
    axes: [
      {
        ...axis,
        space: 64,
        incrs: toTickSteps(data),
        values: data.isByYear ? MONTH_TICKS : TIME_TICKS,
        size: (_, texts) => (texts?.some((text) => text?.includes('\n')) ? 46 : 30),
      },
      {
        ...axis,
        values: (_, ticks) => ticks.map(formatNumber),
        size: (_, texts) => Math.max(40, ...(texts ?? []).map((text) => text.length * 6.5 + 16)),
      },
    ],
    series: [{}, ...data.series.map((series) => toLine(series, { data, colour }))],
    cursor: {
      y: false,
      drag: { x: calls().onSelect !== undefined, y: false, setScale: false },
      points: { size: 8 },
      ...(isFocused ? { focus: { prox: HOVER_PX } } : {}),
    },
    ...(isFocused ? { focus: { alpha: 0.3 } } : {}),
    hooks: {
      ready: [(chart) => listenToClicks(chart, data, calls)],
      drawClear: [(chart) => drawMark(chart, mark(), colour('var(--accent-soft)'))],
      draw: [(chart) => drawWithheld(chart, data, colour)],
      setSeries: [
        (chart, index) => {
          // Only the pointer asks: a place that is pointed at elsewhere stays.
          if (chart.cursor.idx === null || chart.cursor.idx === undefined) return;
          calls().onHover?.(index === null ? undefined : data.series[index - 1]?.placeId);
        },
      ],
      setCursor: [(chart) => calls().onCursor(chart.cursor.idx ?? undefined)],
      setSelect: [(chart) => reportSelection(chart, calls())],
    },
  };
}

type Marked = { readonly start: string; readonly end: string } | undefined;

/** The pointer is at a line if it is so near. */
const HOVER_PX = 24;
const DAY_MS = 24 * 3600 * 1000;

/** A band behind the lines, over the days of a period. */
function drawMark(chart: uPlot, marked: Marked, colour: string): void {
  if (marked === undefined) return;
  const { left, top, width, height } = chart.bbox;
  const at = (day: string, days: number): number =>
    chart.valToPos((Date.parse(day) + days * DAY_MS) / 1000, 'x', true);
  // A point has no width, so half a day before it belongs to it.
  const [from, to] = [at(marked.start, -0.5), at(marked.end, 0.5)];
  const start = Math.max(left, Math.min(from, (from + to) / 2 - 2));
  const end = Math.min(left + width, Math.max(to, (from + to) / 2 + 2));
  if (end <= start) return;
  chart.ctx.save();
  chart.ctx.fillStyle = colour;
  chart.ctx.fillRect(start, top, end - start, height);
  chart.ctx.restore();
}

/** A small grid on the axis for each withheld value, in the colour of its series; those of series lie above each other. */
function drawWithheld(chart: uPlot, data: ChartData, colour: (name: string) => string): void {
  const { top, height } = chart.bbox;
  const cell = Math.round(3 * devicePixelRatio);
  const size = 2 * cell;
  const { ctx } = chart;
  ctx.save();
  ctx.lineWidth = Math.max(1, devicePixelRatio);
  const shown = data.series.filter(({ withheld }) => withheld !== undefined);
  for (const [place, { tone, withheld }] of shown.entries()) {
    ctx.strokeStyle = colour(toneColour(tone));
    const bottom = top + height - place * (size + cell) - cell;
    for (const index of withheld ?? []) {
      const left = chart.valToPos(data.points[index]?.time ?? 0, 'x', true) - cell;
      ctx.beginPath();
      for (const step of [0, cell, size]) {
        ctx.moveTo(left + step, bottom - size);
        ctx.lineTo(left + step, bottom);
        ctx.moveTo(left, bottom - step);
        ctx.lineTo(left + size, bottom - step);
      }
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** A click that is not the end of a drag chooses the period of the nearest point. */
function listenToClicks(chart: uPlot, { points }: ChartData, calls: () => Calls): void {
  let pressed = 0;
  chart.over.addEventListener('mousedown', ({ clientX }) => {
    pressed = clientX;
  });
  chart.over.addEventListener('click', ({ clientX }) => {
    const { idx } = chart.cursor;
    if (idx === null || idx === undefined || Math.abs(clientX - pressed) > CLICK_PX) return;
    const day = points[idx]?.key;
    if (day !== undefined) calls().onPeriod?.(day);
  });
}

const CLICK_PX = 3;

function toLine(
  series: Series,
  { data, colour }: { readonly data: ChartData; readonly colour: (name: string) => string },
): uPlot.Series {
  const stroke = colour(toneColour(series.tone));
  return {
    label: series.name,
    stroke,
    fill: '',
    alpha: toneOpacity(series.tone),
    width: series.tone.kind === 'past' ? 1.25 : 2,
    spanGaps: false,
    ...(data.isJoined ? {} : { paths: () => null }),
    points: {
      show: !data.isJoined || (data.points.length <= MAX_MARKED && series.tone.kind !== 'past'),
      size: 5,
      fill: stroke,
      // A value between two gaps has no line, so it needs a point.
      filter: (_, __, show) => (show ? null : loneIndexes(series)),
    },
  };
}

/** With more points than this, the points of a line are not marked. */
const MAX_MARKED = 40;

function loneIndexes({ values }: Series): number[] {
  const isThere = (index: number): boolean => typeof values[index] === 'number';
  return values.flatMap((_, index) =>
    isThere(index) && !isThere(index - 1) && !isThere(index + 1) ? [index] : [],
  );
}

/** The axis has 0, so that the height of a line is the size of its values. */
function toRange(min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [0, 1];
  const [low, high] = [Math.min(0, min), Math.max(0, max)];
  return low === high ? [0, 1] : uPlot.rangeNum(low, high, 0.08, true);
}

const DAY_SECONDS = 24 * 3600;
/** The least distance of two ticks, their text, and the text below where the year changes. */
const TIME_TICKS: (string | number | null)[][] = [
  [365 * DAY_SECONDS, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * DAY_SECONDS, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [DAY_SECONDS, '{MMM} {D}', '\n{YYYY}', null, null, null, null, null, 1],
];
const STEPS_DAYS = [1, 2, 3, 5, 7, 10, 15];
const STEPS_MONTHS = [1, 2, 3, 4, 6];
const STEPS_YEARS = [1, 2, 5, 10, 25, 50, 100];

/** The distances that ticks may have: a period has no hours, and one of a month has no days. */
function toTickSteps({ points }: ChartData): number[] {
  const least = Math.min(
    ...points.slice(1).map(({ time }, index) => time - (points[index]?.time ?? 0)),
  );
  // The chart counts a month as 30 days, a year as 365.
  const months = [...STEPS_MONTHS.map((count) => count * 30), ...STEPS_YEARS.map((c) => c * 365)];
  const days = least < 28 * DAY_SECONDS ? [...STEPS_DAYS, ...months] : months;
  return days.map((count) => count * DAY_SECONDS);
}

const MONTH_TICKS: (string | number | null)[][] = [
  [28 * DAY_SECONDS, '{MMM}', null, null, null, null, null, null, 1],
  [DAY_SECONDS, '{MMM} {D}', null, null, null, null, null, null, 1],
];

function reportSelection(chart: uPlot, { onSelect }: Calls): void {
  const { left, width } = chart.select;
  if (width === 0) return;
  chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  const first = chart.posToIdx(left);
  const last = chart.posToIdx(left + width);
  if (last > first) onSelect?.(first, last);
}

/** A colour of the theme as a canvas takes it. */
function readColour(element: HTMLElement, name: string): string {
  const probe = element.ownerDocument.createElement('span');
  probe.style.color = name;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
