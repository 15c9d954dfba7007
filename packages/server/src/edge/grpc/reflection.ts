import {
  create,
  type DescEnum,
  type DescExtension,
  type DescFile,
  type DescMessage,
  type DescService,
  toBinary,
} from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { descriptorFiles, reflectionV1, reflectionV1alpha, rpc } from '@locmetrics/contract/grpc';
import { STATUS_CODES } from './error-trailers.ts';
import { readMessage } from './read-message.ts';
import { callsOf, type MessageSink, type MessageSource, type ServedCalls } from './served-call.ts';

/** https://github.com/grpc/grpc/blob/master/doc/server-reflection.md: services describe themselves. */
export function serveReflection(services: readonly DescService[]): ServedCalls {
  const files = descriptorFiles(services, ERROR_FILES);
  const known: Known = {
    services: services.map(({ typeName }) => ({ name: typeName })),
    byName: new Map(files.map((file) => [`${file.name}.proto`, file])),
    bySymbol: new Map(files.flatMap((file) => symbolsOf(file).map((symbol) => [symbol, file]))),
  };
  const call = {
    kind: 'streaming' as const,
    isPublic: false,
    scope: undefined,
    open: (to: MessageSink): MessageSource => ({
      receive: (message) => to.send(answer(message, known)),
      receiveEnd: to.end,
      close: () => {},
    }),
  };
  // The messages of both versions are the same.
  return [reflectionV1.ServerReflection, reflectionV1alpha.ServerReflection].flatMap((service) =>
    callsOf(service, { [method.name]: call }),
  );
}

type Known = {
  readonly services: readonly { readonly name: string }[];
  readonly byName: ReadonlyMap<string, DescFile>;
  readonly bySymbol: ReadonlyMap<string, DescFile>;
};

/** Clients that decode the details of errors look up their types too. */
const ERROR_FILES = [rpc.file_google_rpc_status, rpc.file_google_rpc_error_details];

const method = reflectionV1.ServerReflection.method.serverReflectionInfo;

function answer(message: Uint8Array, known: Known): Uint8Array {
  const request = readMessage(method.input, message);
  const response = create(method.output, {
    validHost: request.host,
    originalRequest: request,
    messageResponse: answerTo(request.messageRequest, known),
  });
  return toBinary(method.output, response);
}

type Request = reflectionV1.ServerReflectionRequest['messageRequest'];
type Response = reflectionV1.ServerReflectionResponse['messageResponse'];

function answerTo(request: Request, { services, byName, bySymbol }: Known): Response {
  switch (request.case) {
    case 'listServices':
      return {
        case: 'listServicesResponse',
        value: create(reflectionV1.ListServiceResponseSchema, { service: [...services] }),
      };
    case 'fileByFilename':
      return describeFile(byName.get(request.value), `The file ${request.value}`);
    case 'fileContainingSymbol':
      return describeFile(bySymbol.get(request.value), `The symbol ${request.value}`);
    case 'fileContainingExtension':
      return notFound('An extension');
    case 'allExtensionNumbersOfType':
      return notFound('An extension');
    case undefined:
      return refusal(STATUS_CODES.INVALID_ARGUMENT, 'The request is empty.');
  }
}

/** The file and all that it imports, directly or not. */
function describeFile(file: DescFile | undefined, asked: string): Response {
  if (file === undefined) return notFound(asked);
  const files = new Set([file]);
  // Files that are added while the set is walked are walked too.
  for (const { dependencies } of files) for (const one of dependencies) files.add(one);
  const fileDescriptorProto = [...files].map(({ proto }) =>
    toBinary(FileDescriptorProtoSchema, proto),
  );
  return {
    case: 'fileDescriptorResponse',
    value: create(reflectionV1.FileDescriptorResponseSchema, { fileDescriptorProto }),
  };
}

/** The interface declares no extensions of messages. */
function notFound(asked: string): Response {
  return refusal(STATUS_CODES.NOT_FOUND, `${asked} is not in the interface.`);
}

function refusal(errorCode: number, errorMessage: string): Response {
  return {
    case: 'errorResponse',
    value: create(reflectionV1.ErrorResponseSchema, { errorCode, errorMessage }),
  };
}

/** The full names of all that a file declares. The values of an enum are named beside it, as in protobuf. */
function symbolsOf(file: DescFile): readonly string[] {
  return [...nestedTypes(file)].flatMap((type) => [type.typeName, ...membersOf(type)]);
}

function membersOf(type: DescEnum | DescMessage | DescExtension | DescService): readonly string[] {
  const { typeName } = type;
  switch (type.kind) {
    case 'service':
      return type.methods.map(({ name }) => `${typeName}.${name}`);
    case 'message':
      return type.members.map(({ name }) => `${typeName}.${name}`);
    case 'enum': {
      const scope = typeName.slice(0, typeName.lastIndexOf('.'));
      return type.values.map(({ name }) => `${scope}.${name}`);
    }
    case 'extension':
      return [];
  }
}
