import { create, createFileRegistry, type DescService } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { catalogV1, catalogV3, descriptorFiles, mapsV1 } from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';

test('the descriptors contain the files of the services and all imports, each file once and after its imports', () => {
  const files = read([catalogV3.CatalogQuery, mapsV1.MapService]);
  expect(files.map(({ name }) => name)).toStrictEqual([
    'unacast/catalog/v3/field.proto',
    'unacast/catalog/v3/options.proto',
    'unacast/unatype/date.proto',
    'unacast/catalog/v3/data_reference.proto',
    'unacast/unatype/filter_clause.proto',
    'unacast/catalog/v3/catalog_query.proto',
    'unacast/unatype/availability_kind.proto',
    'unacast/maps/v1/address_component.proto',
    'unacast/maps/v1/map_service.proto',
  ]);
});

test('the calls can be found in the descriptors', () => {
  const file = read([catalogV1.QueryService, catalogV1.CatalogService]);
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
  const service = registry.getService('unacast.catalog.v1.QueryService');
  expect(service?.methods.map(({ name }) => name)).toStrictEqual([
    'SearchMetricValues',
    'SearchLayerFeatures',
    'SearchAddressComponentValues',
    'SearchDimensionValues',
    'SearchMetricReport',
  ]);
});

function read(services: readonly DescService[]) {
  return descriptorFiles(services).map(({ proto }) => proto);
}
