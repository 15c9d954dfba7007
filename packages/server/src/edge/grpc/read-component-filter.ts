import type { mapsV1 } from '@locmetrics/contract/grpc';
import type { AddressComponentFilter } from '../../domain/metric.ts';

export function readComponentFilter({
  component,
  values,
}: mapsV1.AddressComponentFilter): AddressComponentFilter {
  return { component, values };
}
