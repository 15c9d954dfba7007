import { type DescFile, type DescService, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

/**
 * The bytes of a `google.protobuf.FileDescriptorProto` for each file of the services and each file that
 * they import, every file once and after its imports: what server reflection answers from.
 */
export function fileDescriptors(services: readonly DescService[]): readonly Uint8Array[] {
  const files = new Set<DescFile>();
  for (const { file } of services) addWithImports(file, files);
  return [...files].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
}

function addWithImports(file: DescFile, files: Set<DescFile>): void {
  for (const imported of file.dependencies) addWithImports(imported, files);
  files.add(file);
}
