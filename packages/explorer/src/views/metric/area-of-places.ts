import type { AddressComponent, Metric } from '@locmetrics/client';

/** The component that says which area a place is in: many counties have the same name. */
export function areaOfPlaces({ layer }: Pick<Metric, 'layer'>): AddressComponent | undefined {
  const components = layer?.addressComponentsList ?? [];
  return (
    components.find(({ kind }) => kind === 'MAP') ??
    components.find(({ kind }) => kind !== 'FREE_FORM_UNSPECIFIED')
  );
}
