import { type DescFile, type DescService, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

/**
 * The descriptors for server reflection: the bytes of a `google.protobuf.FileDescriptorProto` for each file
 * of the services and each file that they import. Each file comes once and after its imports. Files that no
 * service imports, such as those of error details, are listed explicitly.
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
