import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginProcess } from './begin-process.ts';

const GENERATOR = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const RUNTIME = 'github.com/oapi-codegen/runtime@v1.9.0';

/** The answer to each operation is a type too, whose name would be that of the schema in its body. */
const CONFIG = `package: client
generate: { models: true, client: true }
output: client.gen.go
output-options: { resolve-type-name-collisions: true }
`;

/** Starts to install oapi-codegen. What is returned makes a client with it, and compiles the client. */
export function beginGo(workspace: string) {
  const folder = join(workspace, 'go');
  mkdirSync(folder);
  writeFileSync(join(folder, 'config.yaml'), CONFIG);
  writeFileSync(join(folder, 'go.mod'), 'module client\n\ngo 1.26\n');
  const installed = beginProcess(folder, ['go', 'install', GENERATOR], { GOBIN: folder });
  return async (document: string) => {
    const { status, output } = await installed;
    if (status !== 0) {
      return { missing: `oapi-codegen cannot be installed here.\n${output}` } as const;
    }
    const generator = [join(folder, 'oapi-codegen'), '-config', 'config.yaml', document];
    const generated = await beginProcess(folder, generator);
    if (generated.status !== 0) return { problem: generated.output } as const;
    for (const args of [
      ['get', RUNTIME],
      ['mod', 'tidy'],
      ['vet', '.'],
    ]) {
      const ran = await beginProcess(folder, ['go', ...args]);
      if (ran.status !== 0) return { problem: ran.output } as const;
    }
    return {} as const;
  };
}
