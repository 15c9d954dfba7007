import { type LngLat, type MapLibreMap, type MapOptions, MercatorCoordinate } from 'maplibre-gl';

const ZOOM_MAX = 18;

/**
 * The options of a map that shows each place once. A world that is narrower than the map is in its middle, without copies
 * beside it. A wider one goes on across the antimeridian.
 */
export function oneWorld(
  container: HTMLElement,
): Pick<MapOptions, 'maxZoom' | 'minZoom' | 'renderWorldCopies' | 'transformConstrain'> {
  return {
    minZoom: -2,
    maxZoom: ZOOM_MAX,
    renderWorldCopies: false,
    transformConstrain: (center, zoom) => constrain(container, center, zoom),
  };
}

/** Turns the copies on where there is no room for two of the same place. */
export function followOneWorld(map: MapLibreMap): void {
  const follow = (): void => {
    const isWide = worldSize(map.getZoom()) >= map.getContainer().clientWidth;
    if (map.getRenderWorldCopies() !== isWide) map.setRenderWorldCopies(isWide);
  };
  map.on('zoom', follow);
  map.on('resize', follow);
  follow();
}

function constrain(
  { clientWidth, clientHeight }: HTMLElement,
  { lng, lat }: LngLat,
  zoom: number,
): { center: LngLat; zoom: number } {
  const [width, height] = [Math.max(1, clientWidth), Math.max(1, clientHeight)];
  const least = Math.log2(Math.min(width, height) / worldSize(0));
  const within = Math.min(ZOOM_MAX, Math.max(least, zoom));
  const size = worldSize(within);
  const { x, y } = MercatorCoordinate.fromLngLat({ lng: size < width ? 0 : lng, lat });
  const half = Math.min(0.5, height / 2 / size);
  const inside = new MercatorCoordinate(x, Math.min(1 - half, Math.max(half, y)));
  return { center: inside.toLngLat(), zoom: within };
}

/** A box to show. One that is as wide as half of the world ends where people live, because the map is largest at the poles. */
export function withoutPoles([west, south, east, north]: readonly [
  number,
  number,
  number,
  number,
]): [number, number, number, number] {
  const [least, greatest] = east - west > 180 ? [-58, 78] : [-85, 85];
  return [west, Math.max(south, least), east, Math.min(north, greatest)];
}

/** The width of the world in pixels. */
function worldSize(zoom: number): number {
  return 512 * 2 ** zoom;
}
