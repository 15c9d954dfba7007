import { useQuery } from '@tanstack/react-query';
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { SERVICE_URL } from '../../session/session.ts';
import { isOfBase } from './base-layers.ts';

/** The style of the operator's own below the data; null: the map of the page itself. */
export type OwnStyle = StyleSpecification | null;

/** The style, once it is known whether there is one. If it cannot be read, the map of the page is below the data. */
export function useOwnStyle(): { readonly style: OwnStyle | undefined; readonly error: unknown } {
  const { data, error } = useQuery({
    queryKey: ['own-style'],
    queryFn: readOwnStyle,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return { style: error === null ? data : null, error: error ?? undefined };
}

async function readOwnStyle(): Promise<OwnStyle> {
  // The page itself was sent with this header, but a script sees only those of its own requests.
  const page = await fetch(`${SERVICE_URL}/`, { method: 'HEAD' });
  const url = page.headers.get('map-style');
  if (url === null) return null;
  let response: Response | undefined;
  try {
    response = await fetch(url);
  } catch {
    // Told below.
  }
  if (response?.ok !== true) {
    throw new Error(
      `The style of the map at ${url} could not be read, so the map has no streets. Ask your operator to check it.`,
    );
  }
  return response.json();
}

/** The layers of the page for a style: without its own land and names if there is one of the operator's. */
export function layersOnStyle(
  layers: readonly LayerSpecification[],
  own: OwnStyle,
): readonly LayerSpecification[] {
  return own === null ? layers : layers.filter((layer) => !isOfBase(layer));
}

/** One style of that of the operator, if there is one, and the sources and layers of the page above it. */
export function joinStyles(
  own: OwnStyle,
  { sources, layers }: Pick<StyleSpecification, 'sources' | 'layers'>,
): StyleSpecification {
  const common = { version: 8, transition: { duration: 0, delay: 0 } } as const;
  if (own === null) return { ...common, sources, layers };
  // So that no name is that of one of the page.
  const rename = (name: string): string => `own:${name}`;
  const ownSources = Object.entries(own.sources).map(([name, source]) => [rename(name), source]);
  return {
    ...common,
    ...(own.glyphs === undefined ? {} : { glyphs: own.glyphs }),
    ...(own.sprite === undefined ? {} : { sprite: own.sprite }),
    sources: { ...Object.fromEntries(ownSources), ...sources },
    layers: [
      ...own.layers.map((layer) => ({
        ...layer,
        id: rename(layer.id),
        ...('source' in layer ? { source: rename(String(layer.source)) } : {}),
      })),
      ...layers,
    ] as LayerSpecification[],
  };
}
