import type { Map as MaplibreMap } from 'maplibre-gl';

/**
 * Calls `ask` once all tiles of a source are there and laid out. A tile that is asked for again before keeps what it had: the
 * map lays out once more what it was waiting for, even if that was of another address, or empty because it was refused.
 */
export function whenLoaded(map: MaplibreMap, source: string, ask: () => void): void {
  map.once('render', () => {
    if (map.isSourceLoaded(source)) ask();
    else whenLoaded(map, source, ask);
  });
  map.triggerRepaint();
}
