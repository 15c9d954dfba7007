import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The protobuf messages of the client: those of the contract that its gRPC entry loads, unchanged. They are copied, so
 * that the client does not depend on the package of the contract. The keys are paths below `src/generated/messages`.
 */
export function clientMessages(): Readonly<Record<string, string>> {
  const modules = ENTRIES.reduce((loaded, path) => loadedFrom(path, loaded), new Set<string>());
  const paths = [...modules].flatMap((path) => [path, path.replace(/\.js$/, '.d.ts')]);
  return Object.fromEntries(paths.toSorted().map((path) => [path, read(path)]));
}

const CONTRACT = join(import.meta.dirname, '..', '..', 'contract', 'src', 'generated');
const ENTRIES = ['unacast/catalog/v1/query_service_pb.js', 'google/rpc/error_details_pb.js'];

/** The paths of a module and of those that it loads. */
function loadedFrom(path: string, loaded: Set<string>): Set<string> {
  if (loaded.has(path)) return loaded;
  loaded.add(path);
  for (const [, specifier = ''] of read(path).matchAll(/\bfrom "(\.[^"]+)"/g)) {
    loadedFrom(join(dirname(path), specifier), loaded);
  }
  return loaded;
}

function read(path: string): string {
  return readFileSync(join(CONTRACT, path), 'utf8');
}
