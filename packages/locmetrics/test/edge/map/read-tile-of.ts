import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';

/** Asks for a tile of `map.shops`, and decodes it with the decoder of Mapbox. */
export async function readTileOf({ url, path, token }: Readonly<Record<TileAsked, string>>) {
  const answer = await fetch(`${url}/v3/catalog/map.shops/tiles/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const features = featuresOf(new Uint8Array(await answer.arrayBuffer()));
  return { status: answer.status, headers: answer.headers, features };
}

type TileAsked = 'url' | 'path' | 'token';

/** The features of a tile with their layers. */
export function featuresOf(tile: Uint8Array) {
  const { layers } = new VectorTile(new PbfReader(tile));
  return Object.entries(layers).flatMap(([name, layer]) =>
    Array.from({ length: layer.length }, (_, index) => {
      const { properties } = layer.feature(index);
      return { layer: name, properties: { ...properties } };
    }),
  );
}
