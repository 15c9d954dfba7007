import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { latLngToCell } from 'h3-js';
import { type Boundaries, OUTLINE_VALUE, type PointSource } from '../manifest/point-source.ts';
import { PublishError } from '../problems/publish-error.ts';
import { type AreaIndex, indexAreas } from './area-index.ts';
import { placekeyOfPoint } from './placekey.ts';
import { type Area, propertyText, type ReadBoundaries, readBoundaries } from './read-boundaries.ts';

/** Boundaries in memory. */
export type OpenedAreas = ReadBoundaries & {
  readonly boundaries: Boundaries;
  readonly index: AreaIndex;
};

/** Reads boundaries, by name. */
export async function openAreas(
  declared: readonly Boundaries[],
): Promise<ReadonlyMap<string, OpenedAreas>> {
  const opened = new Map<string, OpenedAreas>();
  for (const boundaries of declared) {
    const read = await readBoundaries(boundaries);
    opened.set(boundaries.name, { ...read, boundaries, index: indexAreas(read.areas) });
  }
  return opened;
}

/** A text that follows from a point in degrees, or null. */
export type PointValue = (latitude: number, longitude: number) => string | null;

/** The function that computes a field. */
export function pointValue(
  source: PointSource,
  areas: ReadonlyMap<string, OpenedAreas>,
): PointValue {
  switch (source.kind) {
    case 'placekey':
      return (latitude, longitude) => placekeyOfPoint({ latitude, longitude });
    case 'h3':
      return (latitude, longitude) => latLngToCell(latitude, longitude, source.resolution);
    case 'area': {
      const opened = areas.get(source.area);
      if (opened === undefined) throw new Error(`The boundaries ${source.area} are not open.`);
      const texts = areaTexts(opened, source.value);
      return (latitude, longitude) => texts[opened.index.find(latitude, longitude)] ?? null;
    }
  }
}

/** The function with the ids of the areas around a point, if they are several. */
export function overlapValue({ areas, index }: OpenedAreas): PointValue {
  return (latitude, longitude) => {
    const ids = new Set(index.listAround(latitude, longitude).map((area) => areas[area]?.id));
    return ids.size > 1 ? [...ids].join(', ') : null;
  };
}

/** The value of each area, by its number. */
function areaTexts(
  { boundaries, areas, label }: OpenedAreas,
  value: string,
): readonly (string | undefined)[] {
  if (value === 'id') return areas.map(({ id }) => id);
  if (value === OUTLINE_VALUE) return areas.map(areaOutline);
  const property = value === 'name' ? (boundaries.nameProperty ?? value) : value;
  const texts = areas.map(({ properties }) => propertyText(properties[property]));
  if (texts.some((text) => text !== undefined)) return texts;
  throw new PublishError(
    `The boundaries of '${boundaries.name}' in ${label}: no area has '${property}'.`,
    nameHint(property, [...new Set(areas.flatMap((area) => Object.keys(area.properties)))]),
  );
}

/** The outline of an area as GeoJSON. Simplified boundaries can leave a very small area without one. */
function areaOutline({ polygons }: Area): string | undefined {
  const seen = polygons.filter(([outer = []]) => new Set(outer.map(String)).size > 2);
  const [only] = seen;
  if (only === undefined) return undefined;
  return JSON.stringify(
    seen.length === 1
      ? { type: 'Polygon', coordinates: only }
      : { type: 'MultiPolygon', coordinates: seen },
  );
}
