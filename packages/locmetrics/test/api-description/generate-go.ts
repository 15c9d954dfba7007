import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginProcess } from './begin-process.ts';

const RUNTIME = 'github.com/oapi-codegen/runtime@v1.9.0';

/** The answer to each operation is a type too, whose name would be that of the schema in its body. */
const CONFIG = `package: client
generate: { models: true, client: true }
output: client.gen.go
output-options: { resolve-type-name-collisions: true }
`;

/** Makes a client of the document with the oapi-codegen of a folder, and compiles it. */
export async function generateGo(
  tool: string,
  { workspace, document }: { readonly workspace: string; readonly document: string },
): Promise<{ readonly problem?: string }> {
  const folder = join(workspace, 'go');
  mkdirSync(folder);
  writeFileSync(join(folder, 'config.yaml'), CONFIG);
  writeFileSync(join(folder, 'go.mod'), 'module client\n\ngo 1.26\n');
  for (const command of [
    [join(tool, 'oapi-codegen'), '-config', 'config.yaml', document],
    ['go', 'get', RUNTIME],
    ['go', 'mod', 'tidy'],
    ['go', 'vet', '.'],
  ]) {
    const { status, output } = await beginProcess(folder, command);
    if (status !== 0) return { problem: output };
  }
  return {};
}
