import type { mapsV1 } from '@locmetrics/contract/grpc';
import type { AddressComponentFilter } from '@locmetrics/core/domain/metric';

export function readComponentFilter({
  component,
  values,
}: mapsV1.AddressComponentFilter): AddressComponentFilter {
  return { component, values };
}
