import {
  create,
  createFileRegistry,
  type DescMethod,
  type DescMethodUnary,
  fromBinary,
  toJson,
} from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  FieldDescriptorProto_Label,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import {
  type ClientDuplexStream,
  type ClientReadableStream,
  credentials,
  Metadata,
  makeClientConstructor,
  type ServiceDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { service as healthDefinition } from 'grpc-health-check';
import { afterEach, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { openTestServer, useTestServer } from '../test-server.ts';

/** Discovery before the first call: health and reflection. */
const { ask, data, grpcAddress, log } = useTestServer((to) => to.publishFiles(SHOPS));

const opened: { readonly close: () => void }[] = [];
afterEach(() => {
  for (const client of opened.splice(0)) client.close();
});

test.each(['', 'unacast.catalog.v3.CatalogQuery'])(
  'the health of the service %j needs no token',
  async (service) => {
    expect(await check(grpcAddress(), service)).toEqual({ status: 'SERVING' });
  },
);

test('the health of an unknown service is not found', async () => {
  await expect(check(grpcAddress(), 'unacast.catalog.v9.CatalogQuery')).rejects.toMatchObject({
    code: 5,
  });
});

test('a watch of the health reports when the service is not ready, and when it stops', {
  tags: 'slow',
}, async () => {
  let isReady = true;
  const server = await openTestServer(data(), { isReady: () => isReady });
  const seen: unknown[] = [];
  const watched = open(server.grpcAddress, healthDefinition)['watch']?.({ service: '' }) as
    | ClientReadableStream<{ readonly status: string }>
    | undefined;
  const ended = new Promise<ServiceError>((resolve) => watched?.on('error', resolve));
  watched?.on('data', ({ status }) => seen.push(status));
  await expect.poll(() => seen).toEqual(['SERVING']);
  isReady = false;
  await expect.poll(() => seen).toEqual(['SERVING', 'NOT_SERVING']);
  expect(await check(server.grpcAddress, '')).toEqual({ status: 'NOT_SERVING' });
  isReady = true;
  await expect.poll(() => seen).toHaveLength(3);
  await server.close();
  expect((await ended).code).toBe(14);
  expect(seen).toEqual(['SERVING', 'NOT_SERVING', 'SERVING', 'NOT_SERVING']);
});

test('a watch of an unknown service reports that it is unknown, and goes on', async () => {
  const seen: unknown[] = [];
  const watched = open(grpcAddress(), healthDefinition)['watch']?.({ service: 'a.B' }) as
    | ClientReadableStream<{ readonly status: string }>
    | undefined;
  watched?.on('error', () => {});
  watched?.on('data', ({ status }) => seen.push(status));
  await expect.poll(() => seen).toEqual(['SERVICE_UNKNOWN']);
  watched?.cancel();
  await expect
    .poll(() => log().at(-1))
    .toMatchObject({ kind: 'request_completed', route: '/grpc.health.v1.Health/Watch' });
});

const VERSIONS = ['grpc.reflection.v1', 'grpc.reflection.v1alpha'] as const;
type Version = (typeof VERSIONS)[number];

test.each(VERSIONS)('%s lists all services, including itself', async (version) => {
  const { listServicesResponse } = await reflect(version, { listServices: '*' });
  expect(listServicesResponse?.service.map(({ name }) => name).toSorted()).toEqual([
    'grpc.health.v1.Health',
    'grpc.reflection.v1.ServerReflection',
    'grpc.reflection.v1alpha.ServerReflection',
    'locmetrics.v1.Aggregates',
    'unacast.catalog.v1.CatalogService',
    'unacast.catalog.v1.FileDownloadService',
    'unacast.catalog.v1.QueryService',
    'unacast.catalog.v3.CatalogQuery',
    'unacast.catalog.v3.Export',
    'unacast.catalog.v3alpha.CatalogQuery',
    'unacast.maps.v1.MapService',
  ]);
});

test.each([
  'locmetrics.v1.Aggregates',
  'unacast.catalog.v1.CatalogService',
  'unacast.catalog.v1.FileDownloadService',
  'unacast.catalog.v1.QueryService',
  'unacast.catalog.v3.CatalogQuery',
  'unacast.maps.v1.MapService',
  'google.rpc.ErrorInfo',
  'google.rpc.BadRequest',
  'google.rpc.RetryInfo',
])('%s is described with all its dependencies', async (symbol) => {
  const file = importsFirst(await describe(symbol));
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
  expect(registry.get(symbol)?.typeName).toBe(symbol);
});

test.each(VERSIONS)('%s describes every listed service, in valid files', async (version) => {
  const { listServicesResponse } = await reflect(version, { listServices: '*' });
  const names = (listServicesResponse?.service ?? []).map(({ name }) => name);
  expect(names).toHaveLength(11);
  for (const name of names) {
    const file = importsFirst(await describe(name, version));
    expect(file.flatMap((one) => one.messageType.flatMap(faultsOf))).toEqual([]);
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
    expect(registry.getService(name)?.typeName).toBe(name);
  }
});

test('a client can query the health with only the descriptors of reflection', async () => {
  const file = importsFirst(await describe('grpc.health.v1.Health'));
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
  const { check, list, watch } = registry.getService('grpc.health.v1.Health')?.method ?? {};
  const withoutToken = { metadata: { authorization: '' } };
  const checked = await ask(unaryOf(check), {}, withoutToken);
  expect(toJson(unaryOf(check).output, checked.message)).toEqual({ status: 'SERVING' });
  const listed = await ask(unaryOf(list), {}, withoutToken);
  expect(toJson(unaryOf(list).output, listed.message)).toEqual({
    statuses: {
      '': { status: 'SERVING' },
      'locmetrics.v1.Aggregates': { status: 'SERVING' },
      'unacast.catalog.v1.CatalogService': { status: 'SERVING' },
      'unacast.catalog.v1.FileDownloadService': { status: 'SERVING' },
      'unacast.catalog.v1.QueryService': { status: 'SERVING' },
      'unacast.catalog.v3.CatalogQuery': { status: 'SERVING' },
      'unacast.catalog.v3.Export': { status: 'SERVING' },
      'unacast.catalog.v3alpha.CatalogQuery': { status: 'SERVING' },
      'unacast.maps.v1.MapService': { status: 'SERVING' },
    },
  });
  expect(watch).toMatchObject({ methodKind: 'server_streaming' });
  expect(watch?.output.typeName).toBe('grpc.health.v1.HealthCheckResponse');
});

test('the description of a call equals that of the .proto files', async () => {
  const files = await describe('unacast.catalog.v3.CatalogQuery');
  expect(files.map(({ name }) => name).toSorted()).toEqual([
    'unacast/catalog/v3/catalog_query.proto',
    'unacast/catalog/v3/data_reference.proto',
    'unacast/catalog/v3/field.proto',
    'unacast/catalog/v3/options.proto',
    'unacast/unatype/date.proto',
    'unacast/unatype/filter_clause.proto',
  ]);
  const query = files.find(({ name }) => name === 'unacast/catalog/v3/catalog_query.proto');
  expect(query).toEqual(catalogV3.file_unacast_catalog_v3_catalog_query.proto);
});

test('a client can send a call with only the descriptors of reflection', async () => {
  const file = (await describe('unacast.catalog.v3.CatalogQuery')).toReversed();
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
  const service = registry.getService('unacast.catalog.v3.CatalogQuery');
  const unary = unaryOf(service?.method['listRecords']);
  const { message } = await ask(unary, {
    dataReferenceName: 'shop.codes',
    filters: [{ fieldName: 'code', operator: '==', value: '02' }],
  });
  expect(toJson(unary.output, message, { registry })).toMatchObject({
    records: [{ fields: { code: '02', label: 'two' } }],
    totalSize: '1',
  });
});

test.each([
  ['unacast.catalog.v3.CatalogQuery.ListRecords', 'catalog_query'],
  ['unacast.catalog.v3.ListRecordsRequest.page_size', 'catalog_query'],
  ['unacast.catalog.v3.OrderDirection', 'options'],
  ['unacast.catalog.v3.ORDER_DIRECTION_DESC', 'options'],
])('the symbol %s is found in its file', async (symbol, file) => {
  const [first] = await describe(symbol);
  expect(first?.name).toBe(`unacast/catalog/v3/${file}.proto`);
});

test('a file is found by its name', async () => {
  const fileByFilename = 'unacast/unatype/filter_clause.proto';
  const { fileDescriptorResponse } = await reflect('grpc.reflection.v1', { fileByFilename });
  expect(fileDescriptorResponse?.fileDescriptorProto).toHaveLength(1);
});

test('an unknown file is not found', async () => {
  const { errorResponse } = await reflect('grpc.reflection.v1', { fileByFilename: 'a.proto' });
  expect(errorResponse).toMatchObject({ errorCode: 5 });
});

test('an unknown symbol is not found', async () => {
  const { errorResponse } = await reflect('grpc.reflection.v1', { fileContainingSymbol: 'a.B' });
  expect(errorResponse).toMatchObject({ errorCode: 5 });
});

test.each(VERSIONS)('%s needs a token', async (version) => {
  await expect(reflect(version, { listServices: '*' }, '')).rejects.toMatchObject({ code: 16 });
  expect(log().at(-1)).toMatchObject({
    kind: 'request_completed',
    route: `/${version}.ServerReflection/ServerReflectionInfo`,
    status: 'UNAUTHENTICATED',
  });
});

/** The files that reflection returns for a symbol. */
async function describe(
  symbol: string,
  version: Version = 'grpc.reflection.v1',
): Promise<readonly FileDescriptorProto[]> {
  const { fileDescriptorResponse } = await reflect(version, { fileContainingSymbol: symbol });
  return (fileDescriptorResponse?.fileDescriptorProto ?? []).map((bytes) =>
    fromBinary(FileDescriptorProtoSchema, Uint8Array.from(bytes)),
  );
}

/**
 * Checks two things that protoc refuses in a message, but our registry does not: the entry of a map with
 * another name than its field, and relative names of types.
 */
function faultsOf(message: DescriptorProto): readonly string[] {
  const entriesOfMaps = message.field
    .filter(({ label }) => label === FieldDescriptorProto_Label.REPEATED)
    .map(({ name }) => `${toPascalCase(name)}Entry`);
  const { name, field, nestedType } = message;
  return [
    ...nestedType
      .filter((nested) => nested.options?.mapEntry && !entriesOfMaps.includes(nested.name))
      .map((nested) => `${name}.${nested.name} is the entry of no map.`),
    ...field
      .filter(({ typeName }) => typeName !== '' && !typeName.startsWith('.'))
      .map(({ name: fieldName, typeName }) => `${name}.${fieldName} has the type ${typeName}.`),
    ...nestedType.flatMap(faultsOf),
  ];
}

function toPascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}

function unaryOf(method: DescMethod | undefined): DescMethodUnary {
  expect(method?.methodKind).toBe('unary');
  // The line above has checked this.
  return method as DescMethodUnary;
}

/** The files, sorted so that each comes after its imports. A missing import is an error. */
function importsFirst(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  const known = new Map(files.map((file) => [file.name, file]));
  const ordered = new Set<FileDescriptorProto>();
  const add = (name: string): void => {
    const file = known.get(name);
    if (file === undefined) throw new Error(`${name} is imported, but not described.`);
    for (const imported of file.dependency) add(imported);
    ordered.add(file);
  };
  for (const { name } of files) add(name);
  return [...ordered];
}

type Clients = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

function open(address: string, definition: ServiceDefinition): Clients {
  const Client = makeClientConstructor(definition, 'Test');
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  opened.push(client);
  // The methods of such a client follow from its definition; its type does not have them.
  return bindAll(client as unknown as Clients, Object.keys(definition));
}

function bindAll(client: Clients, names: readonly string[]): Clients {
  return Object.fromEntries(
    names.map((name) => {
      const method = name.charAt(0).toLowerCase() + name.slice(1);
      return [method, (...given: readonly unknown[]) => client[name]?.call(client, ...given)];
    }),
  );
}

function check(address: string, service: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    open(address, healthDefinition)['check']?.({ service }, (error: unknown, answer: unknown) => {
      if (error) reject(error);
      else resolve(answer);
    });
  });
}

type ReflectionAnswer = {
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Uint8Array[] };
  readonly errorResponse?: unknown;
};

function reflect(
  version: Version,
  question: Readonly<Record<string, string>>,
  authorization = `Bearer ${data().token}`,
): Promise<ReflectionAnswer> {
  const definitions: ServiceDefinition[] = [];
  new ReflectionService({}).addToServer({
    addService: (definition) => {
      definitions.push(definition);
    },
  });
  const definition = definitions.find((one) =>
    Object.values(one).some(({ path }) => path.startsWith(`/${version}.`)),
  );
  const metadata = new Metadata();
  if (authorization !== '') metadata.set('authorization', authorization);
  const stream = open(grpcAddress(), definition ?? {})['serverReflectionInfo']?.(
    metadata,
  ) as ClientDuplexStream<unknown, ReflectionAnswer>;
  return new Promise((resolve, reject) => {
    stream.on('data', resolve);
    stream.on('error', reject);
    stream.write(question);
    stream.end();
  });
}
