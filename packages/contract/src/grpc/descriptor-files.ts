import type { DescFile, DescService } from '@bufbuild/protobuf';

/**
 * The files of the services and each file that they import, for server reflection. Each file comes once and
 * after its imports. Files that no service imports, such as those of error details, are listed explicitly.
 */
export function descriptorFiles(
  services: readonly DescService[],
  besides: readonly DescFile[] = [],
): readonly DescFile[] {
  const files = new Set<DescFile>();
  for (const file of [...services.map((service) => service.file), ...besides]) {
    addWithImports(file, files);
  }
  return [...files];
}

function addWithImports(file: DescFile, files: Set<DescFile>): void {
  for (const imported of file.dependencies) addWithImports(imported, files);
  files.add(file);
}
