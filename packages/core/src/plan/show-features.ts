import type { Layer } from '../domain/layer.ts';
import type { LayerVersion, MetricVersion } from '../domain/version.ts';
import type { SearchMetricValuesRequest } from '../requests/metric-request.ts';
import { memoize } from '../runtime/memoize.ts';
import { expectComponent } from './plan-feature-filters.ts';

type ShownParts = Pick<SearchMetricValuesRequest, 'addressComponentWhitelist' | 'skipGeo'>;

/**
 * The metric with only those parts of its features that the request asks for. What is left out is not read
 * either. Filters on it still apply: they are planned for the whole metric.
 */
export function showFeatures(version: MetricVersion, parts: ShownParts): MetricVersion {
  const { addressComponentWhitelist: whitelist, skipGeo } = parts;
  if (whitelist.length === 0 && !skipGeo) return version;
  const isWithoutAny = whitelist.length === 1 && whitelist[0] === '';
  if (!isWithoutAny) checkComponents(whitelist, version);
  return shownOf(version)(JSON.stringify([[...new Set(whitelist)].sort(), skipGeo]));
}

function checkComponents(
  whitelist: readonly string[],
  { layer, relatedLayer }: MetricVersion,
): void {
  const known = [layer.layer, relatedLayer?.layer].flatMap((one) => one?.addressComponents ?? []);
  for (const [index, component] of whitelist.entries()) {
    const all: Layer = { ...layer.layer, addressComponents: known };
    expectComponent(component, all, `/addressComponentWhitelist/${index}`);
  }
}

/** Most callers of a metric always ask for the same parts. */
const SHOWN_MAX = 20;

const shownOf = memoize((version: MetricVersion) =>
  memoize((parts: string): MetricVersion => {
    const [whitelist, skipGeo]: [string[], boolean] = JSON.parse(parts);
    const show = ({ layer, features }: LayerVersion): LayerVersion => {
      const { point, ...rest } = layer;
      const addressComponents =
        whitelist.length === 0
          ? layer.addressComponents
          : layer.addressComponents.filter(({ component }) => whitelist.includes(component));
      return {
        layer: { ...(skipGeo ? rest : layer), addressComponents },
        features,
      };
    };
    const { layer, relatedLayer } = version;
    return { ...version, layer: show(layer), relatedLayer: relatedLayer && show(relatedLayer) };
  }, SHOWN_MAX),
);
