import { type DescFile, type DescService, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

/**
 * The bytes of a `google.protobuf.FileDescriptorProto` for each file of the services and each file that
 * they import, every file once and after its imports: what server reflection answers from. Files that
 * no service imports, such as those of the details of errors, are named besides.
 */
export function fileDescriptors(
  services: readonly DescService[],
  besides: readonly DescFile[] = [],
): readonly Uint8Array[] {
  const files = new Set<DescFile>();
  for (const file of [...services.map((service) => service.file), ...besides]) {
    addWithImports(file, files);
  }
  return [...files].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
}

function addWithImports(file: DescFile, files: Set<DescFile>): void {
  for (const imported of file.dependencies) addWithImports(imported, files);
  files.add(file);
}
