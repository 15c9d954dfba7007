import type { AddressComponent, Layer } from '@locmetrics/core/domain/layer';
import {
  declaredNameHint,
  expectDataset,
  expectExistence,
  expectField,
  expectPoint,
  type FieldScope,
} from './expect-field.ts';
import { componentStatements, findDisagreements } from './find-disagreements.ts';
import type { ComponentDocument, LayerDocument } from './layer-schema.ts';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument, ManifestDocument } from './manifest-schema.ts';
import { pointFields } from './read-region.ts';

/** A layer and the dataset of its features. */
export type DeclaredLayer = { readonly datasetName: string; readonly layer: Layer };

/** The layers of a manifest; those whose dataset does not exist are left out and reported. */
export function readLayers(document: ManifestDocument, report: Report): readonly DeclaredLayer[] {
  const layers: DeclaredLayer[] = [];
  for (const [id, declared] of Object.entries(document.layers ?? {})) {
    const reportLayer = report.at('layers', id);
    checkMapLayers(declared, document, reportLayer);
    checkLabels(declared, reportLayer);
    const dataset = expectDataset(declared.dataset, document, reportLayer);
    if (dataset === undefined) continue;
    checkFields(declared, dataset, reportLayer);
    layers.push({ datasetName: declared.dataset, layer: toLayer(id, declared, dataset, document) });
  }
  checkAgreement(layers, report);
  return layers;
}

function listComponents({
  address_components = {},
}: LayerDocument): readonly (readonly [string, ComponentDocument])[] {
  return Object.entries(address_components);
}

function layerIds(document: ManifestDocument): readonly string[] {
  return Object.keys(document.layers ?? {});
}

function checkMapLayers(layer: LayerDocument, document: ManifestDocument, report: Report): void {
  const known = layerIds(document);
  for (const [component, { map_layer: id }] of listComponents(layer)) {
    if (id === undefined || known.includes(id)) continue;
    const hint = declaredNameHint(id, 'layers', known);
    report.at(
      'address_components',
      component,
      'map_layer',
    )(`The manifest declares no layer '${id}'.`, hint);
  }
}

/** The columns of a client that do not come from labels. */
const COLUMNS_OF_FEATURES = ['feature_id', 'name', 'geo'];

function checkLabels(layer: LayerDocument, report: Report): void {
  const seen = new Map<string, string>();
  for (const [component, { label }] of listComponents(layer)) {
    // The name of the column of a component in the published Python client.
    const column = (label ?? component).toLowerCase().trim().replaceAll(' ', '');
    const reportLabel = report.at('address_components', component, 'label');
    const other = seen.get(column);
    if (COLUMNS_OF_FEATURES.includes(column)) {
      reportLabel(
        `The label '${label ?? component}' would be the column '${column}', which every table of features has.`,
        'Choose another label.',
      );
    } else if (other !== undefined) {
      reportLabel(
        `The labels of '${component}' and '${other}' would be the same column '${column}'.`,
        'Choose labels that differ in more than case and spaces.',
      );
    }
    seen.set(column, component);
  }
}

function checkFields(layer: LayerDocument, dataset: DatasetDocument, report: Report): void {
  const scope: FieldScope = { fields: dataset.fields, datasetName: layer.dataset };
  expectField(scope, layer.feature_id, { types: ['string'], report: report.at('feature_id') });
  if (dataset.key.length !== 1 || dataset.key[0] !== layer.feature_id) {
    report.at('feature_id')(
      `'${layer.feature_id}' does not identify a record of ${layer.dataset}, whose key is ${dataset.key.join(', ')}.`,
      'A feature is one record: its id must be the whole key of the dataset.',
    );
  }
  expectField(scope, layer.name, { types: ['string'], report: report.at('name') });
  if (layer.point !== undefined) expectPoint(scope, layer.point, report.at('point'));
  if (layer.existence !== undefined)
    expectExistence(scope, layer.existence, report.at('existence'));
  for (const [component, { value, short_name, display_name }] of listComponents(layer)) {
    const reportComponent = report.at('address_components', component);
    expectField(scope, value, { types: [], report: reportComponent.at('value') });
    for (const [role, name] of Object.entries({ short_name, display_name })) {
      if (name !== undefined)
        expectField(scope, name, { types: ['string'], report: reportComponent.at(role) });
    }
  }
}

function toLayer(
  id: string,
  declared: LayerDocument,
  dataset: DatasetDocument,
  document: ManifestDocument,
): Layer {
  const point = declared.point ?? dataset.point;
  const existence = declared.existence ?? dataset.existence;
  return {
    id,
    displayName: declared.display_name ?? id,
    description: declared.description ?? '',
    attribution: declared.attribution ?? '',
    featureDisplayName: declared.feature_display_name ?? '',
    featureId: declared.feature_id,
    name: declared.name,
    ...(point === undefined ? {} : { point: pointFields(point) }),
    ...(dataset.outline === undefined ? {} : { outline: dataset.outline }),
    ...(existence === undefined ? {} : { existence }),
    addressComponents: listComponents(declared).map(([component, part]) =>
      toAddressComponent(component, part, document),
    ),
  };
}

function toAddressComponent(
  component: string,
  declared: ComponentDocument,
  document: ManifestDocument,
): AddressComponent {
  const { value, short_name: shortName, display_name: displayName } = declared;
  const label = declared.label ?? component;
  return {
    component,
    kind: declared.kind ?? 'free_form',
    shortName: label,
    displayName: declared.title ?? label,
    description: declared.description ?? '',
    mapLayerId: declared.map_layer ?? (layerIds(document).includes(component) ? component : ''),
    fields: {
      value,
      ...(shortName === undefined ? {} : { shortName }),
      ...(displayName === undefined ? {} : { displayName }),
    },
  };
}

/** A catalog lists a component once, so its layers must define it alike. */
function checkAgreement(layers: readonly DeclaredLayer[], report: Report): void {
  const statements = layers.flatMap(({ layer }) => componentStatements(layer));
  for (const { name, key, first, second } of findDisagreements(statements)) {
    report.at(
      'layers',
      second.owner.id,
      'address_components',
      name,
      key,
    )(
      `The ${key} of '${name}' is '${second.value}' here, but '${first.value}' in the layer '${first.owner.id}'.`,
      'A catalog shows each component once: write the same text in both.',
    );
  }
}
