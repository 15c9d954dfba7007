import type { Metric } from '@locmetrics/client';
import type { LayerId } from '../../data/metric-queries.ts';
import type { ViewGroup } from '../../data/metric-view.ts';
import { groupWord } from './list-controls.tsx';

/** The layer whose features the rows of the list are: places, or groups that are areas. Undefined: they are none. */
export function mapLayerOf(
  { catalogId, layerId, layer }: Pick<Metric, 'catalogId' | 'layerId' | 'layer'>,
  group: ViewGroup | undefined,
): LayerId | undefined {
  if (group === undefined) return { catalogId, layerId };
  if (group.kind === 'dimension') return undefined;
  const component = layer?.addressComponentsList.find((one) => one.component === group.id);
  return component === undefined || component.mapLayerId === ''
    ? undefined
    : { catalogId: component.catalogId, layerId: component.mapLayerId };
}

/** Why groups have no map, as a sentence. */
export function noMapWords(metric: Metric, group: ViewGroup): string {
  const word = groupWord(metric, group);
  return group.kind === 'dimension'
    ? `There is no map, because ${word} is not a place.`
    : `There is no map, because ${word} has no layer with outlines or points.`;
}
