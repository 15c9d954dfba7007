import type { AllPaintProperties, LayerSpecification, MapLibreMap } from 'maplibre-gl';

/** Changes the paint, the layout and the filters that differ, so that the map draws again what it has. */
export function updateLayers(
  map: MapLibreMap,
  before: readonly LayerSpecification[],
  after: readonly LayerSpecification[],
): void {
  const old = new Map(before.map((layer) => [layer.id, layer]));
  for (const layer of after) {
    const previous = old.get(layer.id);
    for (const [name, value] of Object.entries(layer.paint ?? {})) {
      const given: Readonly<Record<string, unknown>> = { ...previous?.paint };
      if (isSame(given[name], value)) continue;
      // The entries of a paint have its names and values.
      map.setPaintProperty(layer.id, name as keyof AllPaintProperties, value);
    }
    for (const [name, value] of Object.entries(layer.layout ?? {})) {
      const given: Readonly<Record<string, unknown>> = { ...previous?.layout };
      // As above.
      if (!isSame(given[name], value)) map.setLayoutProperty(layer.id, name as 'visibility', value);
    }
    const filter = 'filter' in layer ? layer.filter : undefined;
    const oldFilter = previous !== undefined && 'filter' in previous ? previous.filter : undefined;
    if (!isSame(oldFilter, filter)) map.setFilter(layer.id, filter);
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
