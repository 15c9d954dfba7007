import type { AddressComponent, ComponentKind, Layer } from '@locmetrics/core/domain/layer';

export type ComponentDeclaration =
  | ComponentKind
  | Partial<Pick<AddressComponent, 'kind' | 'shortName' | 'displayName' | 'mapLayerId' | 'fields'>>;

/**
 * A layer whose features have their id in the field `id` and their name in `name`. By default, a component
 * has its value in the field of its own name, and can be filtered on.
 */
export function defineLayer(declared: {
  readonly id: string;
  readonly featureId?: string;
  readonly name?: string;
  readonly point?: NonNullable<Layer['point']>;
  readonly existence?: NonNullable<Layer['existence']>;
  /** The components by their ids, in the order of publication. */
  readonly components?: Readonly<Record<string, ComponentDeclaration>>;
}): Layer {
  const { id, featureId = 'id', name = 'name', point, existence, components = {} } = declared;
  return {
    id,
    displayName: id,
    description: '',
    attribution: '',
    featureDisplayName: '',
    featureId,
    name,
    ...(point === undefined ? {} : { point }),
    ...(existence === undefined ? {} : { existence }),
    addressComponents: Object.entries(components).map(([component, part]) =>
      defineComponent(component, part),
    ),
  };
}

function defineComponent(component: string, declared: ComponentDeclaration): AddressComponent {
  return {
    component,
    kind: 'taxonomy',
    shortName: component,
    displayName: component,
    description: '',
    mapLayerId: '',
    fields: { value: component },
    ...(typeof declared === 'string' ? { kind: declared } : declared),
  };
}
