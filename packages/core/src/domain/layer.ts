import type { Dataset } from './dataset.ts';

/**
 * The features (locations) of one kind. Each feature is a record of the dataset that declares the layer.
 * Members that refer to a field hold its name.
 */
export type Layer = {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly attribution: string;
  /** The name for a single feature, for example `National park`. */
  readonly featureDisplayName: string;
  /** String field with the feature id: the whole key of the dataset. */
  readonly featureId: string;
  /** Field with the name of a feature. */
  readonly name: string;
  /** Fields with the degrees of the feature's point. */
  readonly point?: NonNullable<Dataset['point']>;
  /** Field with the outline of a feature. */
  readonly outline?: string;
  /** Fields with the days between which the feature existed. */
  readonly existence?: NonNullable<Dataset['existence']>;
  /** In the published order. */
  readonly addressComponents: readonly AddressComponent[];
};

export const COMPONENT_KINDS = ['free_form', 'map', 'taxonomy', 'count'] as const;
export type ComponentKind = (typeof COMPONENT_KINDS)[number];

/** An attribute of a feature's address, such as its county: a value, and names for it. */
export type AddressComponent = {
  /** The id, for example `us_county_2020`. */
  readonly component: string;
  /** All kinds except `free_form` can be filtered. */
  readonly kind: ComponentKind;
  /** Short name of the component itself; it is unique, because clients use it as a column name. */
  readonly shortName: string;
  /** Name of the component itself, for people. */
  readonly displayName: string;
  readonly description: string;
  /** The layer whose features are the values of the component; empty if there is none. */
  readonly mapLayerId: string;
  /** Fields with the value of a feature and with the names of that value. */
  readonly fields: {
    readonly value: string;
    readonly shortName?: string;
    readonly displayName?: string;
  };
};

export function findAddressComponent(
  layer: Layer,
  component: string,
): AddressComponent | undefined {
  return layer.addressComponents.find((known) => known.component === component);
}
