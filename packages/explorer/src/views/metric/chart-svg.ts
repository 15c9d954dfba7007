import { formatCompact } from '../../format/numbers.ts';
import { escapeXml } from '../../format/xml.ts';
import {
  type ChartData,
  formatValue,
  type PointValue,
  type Series,
  toneColour,
  toneOpacity,
} from './chart-data.ts';

/** The words of a picture of a chart. */
export type PictureWords = {
  readonly title: string;
  /** What the chart makes of the values, and of which days. */
  readonly subtitle: string;
  /** Where the values come from, and when the picture was made. */
  readonly source: string;
};

/** The colour of a name in CSS, such as `var(--ink)`, as a picture takes it. */
export type ReadColour = (name: string) => string;

export const [PICTURE_WIDTH, PICTURE_HEIGHT] = [960, 540];
const [LEFT, RIGHT, TOP, BOTTOM] = [76, 24, 92, 112];
const FONT = 'system-ui, sans-serif';

/** A chart as an SVG document: the same lines or bars as on the screen, with its title, source and date. */
export function chartSvg(chart: ChartData, words: PictureWords, readColour: ReadColour): string {
  const [ink, muted, surface] = ['var(--ink)', 'var(--ink-muted)', 'var(--surface)'].map(
    readColour,
  );
  const body =
    chart.points.length === 1 ? drawBars(chart, readColour) : drawLines(chart, readColour);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" viewBox="0 0 ${PICTURE_WIDTH} ${PICTURE_HEIGHT}" font-family="${FONT}" font-size="12" fill="${muted}">`,
    `<title>${escapeXml(words.title)}</title>`,
    `<rect width="100%" height="100%" fill="${surface}"/>`,
    text(24, 36, words.title, `font-size="20" font-weight="600" fill="${ink}"`),
    text(24, 60, words.subtitle, 'font-size="13"'),
    ...body,
    text(24, PICTURE_HEIGHT - 16, words.source),
    '</svg>',
  ].join('\n');
}

function drawLines(chart: ChartData, readColour: ReadColour): readonly string[] {
  const { points, series } = chart;
  const times = points.map(({ time }) => time);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const ticks = niceTicks(series.flatMap(({ values }) => values));
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const [right, bottom] = [PICTURE_WIDTH - RIGHT, PICTURE_HEIGHT - BOTTOM];
  const x = (time: number): number =>
    LEFT + ((time - first) / (last - first || 1)) * (right - LEFT);
  const y = (value: number): number =>
    bottom - ((value - low) / (high - low || 1)) * (bottom - TOP);
  const line = readColour('var(--line)');
  return [
    ...ticks.flatMap((tick) => [
      `<path d="M${LEFT} ${round(y(tick))}H${right}" stroke="${line}"/>`,
      text(LEFT - 8, y(tick) + 4, formatCompact(tick), 'text-anchor="end"'),
    ]),
    ...labelIndexes(points.length).map((index) => {
      const point = points[index];
      const anchor = index === 0 ? 'start' : index === points.length - 1 ? 'end' : 'middle';
      return text(x(point?.time ?? 0), bottom + 18, point?.label ?? '', `text-anchor="${anchor}"`);
    }),
    ...series.map((one) => drawLine(one, { chart, x, y, readColour })),
    ...drawWithheld(chart, { x, bottom, readColour }),
    ...drawLegend(series, readColour),
  ];
}

function drawLine(
  { values, tone }: Series,
  {
    chart: { points, isJoined },
    x,
    y,
    readColour,
  }: {
    readonly chart: ChartData;
    readonly x: (time: number) => number;
    readonly y: (value: number) => number;
    readonly readColour: ReadColour;
  },
): string {
  const colour = readColour(toneColour(tone));
  const at = (index: number, value: number): string =>
    `${round(x(points[index]?.time ?? 0))} ${round(y(value))}`;
  let isDrawing = false;
  const path: string[] = [];
  const dots: string[] = [];
  for (const [index, value] of values.entries()) {
    if (typeof value === 'number') {
      const isLone = typeof values[index - 1] !== 'number' && typeof values[index + 1] !== 'number';
      path.push(`${isDrawing && isJoined ? 'L' : 'M'}${at(index, value)}`);
      if (isLone || !isJoined) dots.push(`M${at(index, value)}h0`);
      isDrawing = true;
    } else if (value === null) {
      isDrawing = false;
    }
  }
  const stroke = `fill="none" stroke="${colour}" stroke-opacity="${toneOpacity(tone)}"`;
  return [
    `<path d="${path.join('')}" ${stroke} stroke-width="2" stroke-linejoin="round"/>`,
    ...(dots.length === 0
      ? []
      : [`<path d="${dots.join('')}" ${stroke} stroke-width="5" stroke-linecap="round"/>`]),
  ].join('\n');
}

/** Small grids on the axis for withheld values, and what they mean. */
function drawWithheld(
  { points, series }: ChartData,
  {
    x,
    bottom,
    readColour,
  }: {
    readonly x: (time: number) => number;
    readonly bottom: number;
    readonly readColour: ReadColour;
  },
): readonly string[] {
  const marked = series.filter(({ withheld }) => withheld !== undefined);
  const grids = marked.map(({ tone, withheld }, place) => {
    const low = bottom - 3 - place * 9;
    const path = [...(withheld ?? [])].map((index) =>
      gridPath(x(points[index]?.time ?? 0) - 3, low - 6),
    );
    return `<path d="${path.join('')}" fill="none" stroke="${readColour(toneColour(tone))}"/>`;
  });
  if (marked.length === 0) return [];
  const words = 'Withheld: too small to show';
  const left = PICTURE_WIDTH - RIGHT - 180;
  return [
    ...grids,
    `<path d="${gridPath(left, bottom + 24)}" fill="none" stroke="${readColour('var(--ink-muted)')}"/>`,
    text(left + 14, bottom + 31, words),
  ];
}

/** A square of four cells of three points each. */
function gridPath(left: number, top: number): string {
  const [x, y] = [round(left), round(top)];
  return `M${x} ${y}h6v6h-6zM${round(x + 3)} ${y}v6M${x} ${round(y + 3)}h6`;
}

function drawLegend(series: readonly Series[], readColour: ReadColour): readonly string[] {
  const columns = 3;
  const width = (PICTURE_WIDTH - LEFT - RIGHT) / columns;
  const rows = Math.min(2, Math.ceil(series.length / columns));
  return series.slice(0, columns * rows).flatMap(({ name, tone }, index) => {
    const left = LEFT + (index % columns) * width;
    const top = PICTURE_HEIGHT - BOTTOM + 44 + Math.floor(index / columns) * 20;
    const colour = readColour(toneColour(tone));
    return [
      `<path d="M${round(left)} ${top - 4}h18" stroke="${colour}" stroke-opacity="${toneOpacity(tone)}" stroke-width="3"/>`,
      text(left + 26, top, shorten(name, 36)),
    ];
  });
}

function drawBars(chart: ChartData, readColour: ReadColour): readonly string[] {
  const { series } = chart;
  const numbers = series.map(({ values }) => values[0]);
  const most = Math.max(0, ...numbers.map((value) => Math.abs(value ?? 0)));
  const room = PICTURE_HEIGHT - TOP - 56;
  const step = Math.min(48, room / Math.max(1, series.length));
  const left = 300;
  const width = PICTURE_WIDTH - left - 120;
  return series.flatMap(({ name, tone }, index) => {
    const top = TOP + index * step;
    const value = numbers[index];
    const length = most === 0 ? 0 : (Math.abs(value ?? 0) / most) * width;
    const middle = top + step / 2 + 4;
    return [
      text(left - 12, middle, shorten(name, 40), 'text-anchor="end"'),
      `<rect x="${left}" y="${round(top + step * 0.15)}" width="${round(length)}" height="${round(step * 0.7)}" fill="${readColour(toneColour(tone))}"/>`,
      text(left + length + 8, middle, formatValue(value, chart)),
    ];
  });
}

/** About five round numbers from 0, or from below the least value, to above the greatest one. */
function niceTicks(values: readonly PointValue[]): readonly number[] {
  const numbers = values.filter((value) => typeof value === 'number');
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const rough = (high - low || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Five points, from the first to the last. */
function labelIndexes(count: number): readonly number[] {
  const most = Math.min(5, count);
  const at = (index: number): number => Math.round((index / Math.max(1, most - 1)) * (count - 1));
  return Array.from({ length: most }, (_, index) => at(index));
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escapeXml(content)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function shorten(name: string, length: number): string {
  return name.length <= length ? name : `${name.slice(0, length - 1)}…`;
}
