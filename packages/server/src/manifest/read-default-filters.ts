import { findAddressComponent } from '../domain/layer.ts';
import type { AddressComponentFilter } from '../domain/metric.ts';
import { nameHint } from '../domain/nearest-name.ts';
import { findFieldType } from './expect-field.ts';
import type { Report } from './manifest-report.ts';
import type { ManifestDocument } from './manifest-schema.ts';
import type { MetricDocument } from './metric-schema.ts';
import type { DeclaredLayer } from './read-layers.ts';
import { readPresentText } from './read-value-text.ts';

/** Parses the default filters by the components of the layer; empty if there is no such layer. */
export function readDefaultFilters({
  declared,
  document,
  layer,
  at,
  report,
}: {
  readonly declared: MetricDocument;
  readonly document: ManifestDocument;
  readonly layer: DeclaredLayer | undefined;
  readonly at: readonly string[];
  readonly report: Report;
}): readonly AddressComponentFilter[] {
  if (layer === undefined) return [];
  const { id, addressComponents } = layer.layer;
  const fields = document.datasets[layer.datasetName]?.fields ?? {};
  return Object.entries(declared.default_filters ?? {}).flatMap(([component, given]) => {
    const keys = [...at, 'default_filters', component];
    const found = findAddressComponent(layer.layer, component);
    if (found === undefined) {
      const known = addressComponents.map((part) => part.component);
      const reason = `The layer '${id}' has no component '${component}'.`;
      report(keys, reason, nameHint(component, known));
      return [];
    }
    if (found.kind === 'free_form') {
      const reason = `The component '${component}' of the layer '${id}' is free_form, so it cannot be filtered on.`;
      report(keys, reason, 'Give it another kind there.');
      return [];
    }
    const type = findFieldType(fields, found.fields.value);
    // A field that does not exist is reported with the layer.
    if (type === undefined) return [];
    const values = (Array.isArray(given) ? given : [given]).flatMap((value, index) => {
      const valueAt = Array.isArray(given) ? [...keys, String(index)] : keys;
      return readPresentText({ what: 'value', type, value, at: valueAt, report }) ?? [];
    });
    return [{ component, values }];
  });
}
