import type { MapLibreMap } from 'maplibre-gl';
import { DOT, HATCH, WITHHELD_HATCH } from './base-layers.ts';
import { drawHatch } from './hatch.ts';
import type { Palette } from './palette.ts';

/** Gives a map the images of its layers, or those of other colours. The style must be loaded. */
export function showImages(map: MapLibreMap, { noValue, label, land }: Palette): void {
  // Half as wide in points: the hatch is four points wide, and cells are eight or more.
  const images = {
    [HATCH]: drawHatch(noValue, 'absent'),
    [WITHHELD_HATCH]: drawHatch(noValue, 'withheld'),
    [DOT]: drawDot(label, land),
  };
  for (const [name, image] of Object.entries(images)) {
    if (map.hasImage(name)) map.updateImage(name, image);
    else map.addImage(name, image, { pixelRatio: 2 });
  }
}

function drawDot(colour: string, edge: string): ImageData {
  const size = 12;
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (context === null) return new ImageData(size, size);
  context.fillStyle = colour;
  context.strokeStyle = edge;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(size / 2, size / 2, 4, 0, 2 * Math.PI);
  context.stroke();
  context.fill();
  return context.getImageData(0, 0, size, size);
}
