import Flatbush from 'flatbush';
import pointInPolygon from 'point-in-polygon-hao';
import type { Area } from './read-boundaries.ts';

/** Finds the area of a point. */
export type AreaIndex = {
  /**
   * The number of the area that has the point, or -1. A point on a border, or in several areas, belongs to the area
   * with the least number.
   */
  readonly find: (latitude: number, longitude: number) => number;
  /** The numbers of the areas around the point, without those on whose border it lies. */
  readonly listAround: (latitude: number, longitude: number) => readonly number[];
};

/** Indexes the polygons of areas. An area is known by its number among them. */
export function indexAreas(areas: readonly Area[]): AreaIndex {
  const parts = areas.flatMap(({ polygons }, area) => polygons.map((rings) => ({ area, rings })));
  if (parts.length === 0) return { find: () => -1, listAround: () => [] };
  const boxes = new Flatbush(parts.length);
  for (const { rings } of parts) {
    const [outer = []] = rings;
    const longitudes = outer.map(([longitude = 0]) => longitude);
    const latitudes = outer.map(([, latitude = 0]) => latitude);
    boxes.add(least(longitudes), least(latitudes), greatest(longitudes), greatest(latitudes));
  }
  boxes.finish();
  /** Visits the areas around a point: `isInside` is false on a border. */
  const visit = (
    latitude: number,
    longitude: number,
    visitor: (area: number, isInside: boolean) => void,
  ): void => {
    for (const turned of [longitude, longitude - 360, longitude + 360]) {
      if (turned < boxes.minX || turned > boxes.maxX) continue;
      for (const number of boxes.search(turned, latitude, turned, latitude)) {
        const part = parts[number];
        if (part === undefined) continue;
        const position = pointInPolygon([turned, latitude], part.rings);
        if (position !== false) visitor(part.area, position === true);
      }
    }
  };
  return {
    find: (latitude, longitude) => {
      let found = -1;
      visit(latitude, longitude, (area) => {
        if (found < 0 || area < found) found = area;
      });
      return found;
    },
    listAround: (latitude, longitude) => {
      const found = new Set<number>();
      visit(latitude, longitude, (area, isInside) => {
        if (isInside) found.add(area);
      });
      return [...found].toSorted((left, right) => left - right);
    },
  };
}

/** A ring can have more positions than a call has arguments. */
function least(values: readonly number[]): number {
  return values.reduce((left, right) => Math.min(left, right), Number.POSITIVE_INFINITY);
}

function greatest(values: readonly number[]): number {
  return values.reduce((left, right) => Math.max(left, right), Number.NEGATIVE_INFINITY);
}
