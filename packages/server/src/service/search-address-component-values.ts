import type { AddressComponentValue } from '../domain/feature.ts';
import { findAddressComponent } from '../domain/layer.ts';
import type { SearchAddressComponentValuesRequest } from '../domain/metric-request.ts';
import { unknownName } from '../domain/unknown-name.ts';
import { inSpan } from '../observe/request-scope.ts';
import { type ComponentSource, planComponentValues } from '../plan/plan-named-values.ts';
import type { CatalogSnapshot } from '../versions/open-catalog.ts';
import { catalogVersion, layersOf } from './find-in-catalog.ts';
import { findPinned } from './find-pinned.ts';
import { type PageEnd, runPage, startPage } from './page-steps.ts';
import { readNamedValues } from './read-named-values.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type SearchAddressComponentValuesResult = PageEnd & {
  readonly values: readonly AddressComponentValue[];
};

/** A page of the values of an address component, with their names. */
export async function searchAddressComponentValues(
  context: ServiceContext,
  request: SearchAddressComponentValuesRequest,
  call: Call,
): Promise<SearchAddressComponentValuesResult> {
  const { engine, catalogFor } = context;
  const { component } = request;
  const parts = () => requestParts(request);
  const start = startPage(context, call, { ...request, billingContext: '', parts });
  const { sources, version } = findPinned(catalogFor(call.caller), start.token, (snapshot) =>
    findSources(snapshot, request),
  );
  return runPage(context, call, start, async (signal) => {
    const plan = inSpan('plan', () => planComponentValues(request, sources, start.token));
    const found = await readNamedValues(engine, plan, { start, version }, signal);
    return {
      ...found,
      values: found.values.map(({ value, shortName, displayName }) => ({
        component,
        value,
        shortName: shortName ?? '',
        displayName: displayName ?? '',
      })),
    };
  });
}

function requestParts(request: SearchAddressComponentValuesRequest): readonly unknown[] {
  const { catalogId, component, query, valueIds, freeFormTarget } = request;
  return ['searchAddressComponentValues', catalogId, component, query, valueIds, freeFormTarget];
}

type PinnedSources = { readonly sources: readonly ComponentSource[]; readonly version: string };

function findSources(
  snapshot: CatalogSnapshot,
  { catalogId, component }: SearchAddressComponentValuesRequest,
): PinnedSources {
  const layers = layersOf(snapshot, catalogId);
  const sources = layers.flatMap((layer): readonly ComponentSource[] => {
    const found = findAddressComponent(layer.layer, component);
    return found === undefined ? [] : [{ layer, component: found }];
  });
  if (sources.length > 0) {
    return { sources, version: catalogVersion(snapshot, catalogId) };
  }
  const known = layers.flatMap(({ layer }) =>
    layer.addressComponents.map((other) => other.component),
  );
  throw unknownName('UNKNOWN_COMPONENT', '/component', {
    noun: 'component',
    owner: `the catalog '${catalogId}'`,
    name: component,
    known: [...new Set(known)],
  });
}
