import type { MapLibreMap } from 'maplibre-gl';
import { formatDay } from '../../format/dates.ts';
import { escapeXml } from '../../format/xml.ts';
import { offerFile, saveFile } from '../../ui/save-file.ts';
import { HATCH, WITHHELD_HATCH } from './base-layers.ts';
import { drawHatch } from './hatch.ts';
import type { LegendContent, LegendEntry } from './legend-entries.ts';
import type { MapDrawing } from './map-drawing.ts';
import type { Palette } from './palette.ts';

/** What is written around the picture of a map. */
export type MapCaption = {
  readonly title: string;
  readonly subtitle: string;
  readonly legend: LegendContent;
  /** Where the data and the map come from, and the date. */
  readonly source: string;
};

/** The pixels of a map, and its size in points. */
export type Picture = {
  readonly canvas: HTMLCanvasElement;
  readonly width: number;
  readonly height: number;
};

type Colours = Pick<Palette, 'page' | 'ink' | 'label'>;

const MARGIN = 20;
const LINE = 20;
const FONT = "'Inter Variable', system-ui, sans-serif";

/** The picture of a map as it is now. A canvas of WebGL can be read only while it is drawn. */
export function pictureOf(map: MapLibreMap): Promise<Picture> {
  return new Promise((resolve) => {
    map.once('render', () => {
      const canvas = map.getCanvas();
      const copy = document.createElement('canvas');
      copy.width = canvas.width;
      copy.height = canvas.height;
      copy.getContext('2d')?.drawImage(canvas, 0, 0);
      resolve({ canvas: copy, width: canvas.clientWidth, height: canvas.clientHeight });
    });
    map.triggerRepaint();
  });
}

/** The sources of the style of the operator's own. */
export function creditsOf(map: MapLibreMap): string {
  return map.getContainer().querySelector('.maplibregl-ctrl-attrib-inner')?.textContent ?? '';
}

/** Where a picture comes from, and the date of today. */
export function sourceLine(sources: readonly string[]): string {
  const today = formatDay(new Date().toISOString().slice(0, 10));
  return `Source: ${[...sources, today].filter((part) => part !== '').join(' · ')}`;
}

/** Saves the picture of a map as a PNG file, with its title, its legend, its source and the date. */
export async function saveMap(
  picture: Picture,
  caption: MapCaption,
  colours: Colours,
): Promise<void> {
  const canvas = drawCaptioned(picture, caption, colours);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('The browser could not write the map as a PNG file.');
  offerFile(`${fileName(caption.title)}-map.png`, blob);
}

/** Saves the drawing of a map as an SVG file, with the same words around it. */
export function saveMapSvg(drawing: MapDrawing, caption: MapCaption, colours: Colours): void {
  saveFile(`${fileName(caption.title)}-map.svg`, captionedSvg(drawing, caption, colours), SVG_TYPE);
}

const SVG_TYPE = 'image/svg+xml';

/** A drawing with its title, its legend, its source and the date, as an SVG document. */
function captionedSvg(
  { elements, width, height }: MapDrawing,
  { title, subtitle, legend, source }: MapCaption,
  { page, ink, label: muted }: Colours,
): string {
  const columns = Math.max(1, Math.floor((width + MARGIN) / 220));
  const rows = Math.ceil(legend.entries.length / columns);
  const top = MARGIN + 30 + (subtitle === '' ? 0 : LINE);
  const hasTitle = legend.title !== undefined && rows > 0;
  const first = top + height + 8 + LINE / 2 + (hasTitle ? LINE : 0);
  const last = first + rows * LINE + 4;
  const [wide, high] = [width + 2 * MARGIN, last + LINE + MARGIN];
  const write = (text: string, y: number, attributes: string): string =>
    `<text x="${MARGIN}" y="${y}" dominant-baseline="middle" ${attributes}>${escapeXml(text)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" font-family="${escapeXml(FONT)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="100%" height="100%" fill="${page}"/>`,
    write(title, MARGIN + 12, `font-size="20" font-weight="600" fill="${ink}"`),
    subtitle === '' ? '' : write(subtitle, MARGIN + 36, `font-size="14" fill="${muted}"`),
    `<svg x="${MARGIN}" y="${top}" width="${width}" height="${height}">`,
    ...elements,
    '</svg>',
    hasTitle
      ? write(legend.title ?? '', first - LINE, `font-size="13" font-weight="600" fill="${ink}"`)
      : '',
    ...legend.entries.map((entry, index) => {
      const x = MARGIN + (index % columns) * 220;
      const y = first + Math.floor(index / columns) * LINE;
      return `${markSvg(entry, x, y)}<text x="${x + 26}" y="${y}" dominant-baseline="middle" font-size="13" fill="${ink}">${escapeXml(entry.label)}</text>`;
    }),
    write(source, last, `font-size="12" fill="${muted}"`),
    '</svg>',
  ].join('\n');
}

function markSvg({ mark, colour }: LegendEntry, x: number, y: number): string {
  if (mark === 'point') return `<circle cx="${x + 9}" cy="${y}" r="5" fill="${colour}"/>`;
  if (mark === 'ring') {
    return `<circle cx="${x + 9}" cy="${y}" r="5" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
  }
  const fill = { square: colour, hatch: `url(#${HATCH})`, grid: `url(#${WITHHELD_HATCH})` }[mark];
  return `<rect x="${x}" y="${y - 6}" width="18" height="12" fill="${fill}"/>`;
}

function drawCaptioned(
  { canvas: pixels, width, height }: Picture,
  { title, subtitle, legend, source }: MapCaption,
  { page, ink, label: muted }: Colours,
): HTMLCanvasElement {
  const scale = pixels.width / Math.max(1, width);
  const columns = Math.max(1, Math.floor((width + MARGIN) / 220));
  const rows = Math.ceil(legend.entries.length / columns);
  const top = MARGIN + 30 + (subtitle === '' ? 0 : LINE);
  const legendHeight = rows === 0 ? 0 : rows * LINE + (legend.title === undefined ? 0 : LINE) + 8;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round((width + 2 * MARGIN) * scale);
  canvas.height = Math.round((top + height + legendHeight + LINE + 2 * MARGIN) * scale);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser could not draw the picture of the map.');
  context.scale(scale, scale);
  context.fillStyle = page;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = 'middle';
  const write = (text: string, x: number, y: number, font: string, colour: string): void => {
    context.font = `${font} ${FONT}`;
    context.fillStyle = colour;
    context.fillText(text, x, y, width + MARGIN - x);
  };
  write(title, MARGIN, MARGIN + 12, '600 20px', ink);
  if (subtitle !== '') write(subtitle, MARGIN, MARGIN + 36, '14px', muted);
  context.drawImage(pixels, MARGIN, top, width, height);
  let y = top + height + 8 + LINE / 2;
  if (legend.title !== undefined && rows > 0) {
    write(legend.title, MARGIN, y, '600 13px', ink);
    y += LINE;
  }
  for (const [index, entry] of legend.entries.entries()) {
    const x = MARGIN + (index % columns) * 220;
    const middle = y + Math.floor(index / columns) * LINE;
    drawMark(context, entry, x, middle);
    write(entry.label, x + 26, middle, '13px', ink);
  }
  write(source, MARGIN, y + rows * LINE + 4, '12px', muted);
  return canvas;
}

function drawMark(
  context: CanvasRenderingContext2D,
  { mark, colour }: LegendEntry,
  x: number,
  middle: number,
): void {
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  if (mark === 'square') context.fillRect(x, middle - 6, 18, 12);
  if (mark === 'hatch' || mark === 'grid') {
    const tile = document.createElement('canvas');
    tile.width = 8;
    tile.height = 8;
    tile
      .getContext('2d')
      ?.putImageData(drawHatch(colour, mark === 'grid' ? 'withheld' : 'absent'), 0, 0);
    const pattern = context.createPattern(tile, 'repeat');
    if (pattern !== null) context.fillStyle = pattern;
    context.fillRect(x, middle - 6, 18, 12);
  }
  if (mark === 'point' || mark === 'ring') {
    context.beginPath();
    context.arc(x + 9, middle, 5, 0, 2 * Math.PI);
    if (mark === 'point') context.fill();
    else context.stroke();
  }
}

function fileName(title: string): string {
  const plain = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
  return plain.replace(/^-+|-+$/g, '').slice(0, 80) || 'locmetrics';
}
