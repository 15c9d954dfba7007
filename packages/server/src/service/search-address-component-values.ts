import type { AddressComponentValue } from '../domain/feature.ts';
import { findAddressComponent } from '../domain/layer.ts';
import type { SearchAddressComponentValuesRequest } from '../domain/metric-request.ts';
import { unknownName } from '../domain/unknown-name.ts';
import { inSpan } from '../observe/request-scope.ts';
import { type ComponentSource, planComponentValues } from '../plan/plan-named-values.ts';
import type { CatalogSnapshot } from '../versions/open-catalog.ts';
import { catalogVersion, layersOf } from './find-in-catalog.ts';
import { findPinned } from './find-pinned.ts';
import { readNamedValues } from './read-named-values.ts';
import type { NextPageToken, PageRequest } from './read-page.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type SearchAddressComponentValuesResult = {
  readonly values: readonly AddressComponentValue[];
  readonly totalSize: number;
  readonly nextPageToken: NextPageToken;
};

type PinnedSources = { readonly sources: readonly ComponentSource[]; readonly version: string };

/** A page of the values of an address component, with their names. */
export async function searchAddressComponentValues(
  context: ServiceContext,
  request: SearchAddressComponentValuesRequest,
  call: Call,
): Promise<SearchAddressComponentValuesResult> {
  const { catalogId, component, query, valueIds, freeFormTarget } = request;
  const page: PageRequest<PinnedSources> = {
    billingContext: '',
    pageSize: request.pageSize,
    pageToken: request.pageToken,
    parts: ['searchAddressComponentValues', catalogId, component, query, valueIds, freeFormTarget],
    pin: (token) =>
      findPinned(context.catalogFor(call.caller), token, (snapshot) =>
        findSources(snapshot, request),
      ),
  };
  const found = await readNamedValues(context, call, page, (pinned, token) =>
    inSpan('plan', () => planComponentValues(request, pinned.sources, token)),
  );
  return {
    ...found,
    values: found.values.map(({ value, shortName, displayName }) => ({
      component,
      value,
      shortName: shortName ?? '',
      displayName: displayName ?? '',
    })),
  };
}

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
