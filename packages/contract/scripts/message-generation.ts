import { fileURLToPath } from 'node:url';
import { runBuf } from './run-buf.ts';

/** The folder of the generated messages, relative to the folder passed to `generateMessages`. */
export const GENERATED = 'src/generated';

/**
 * The descriptors that a change is compared with: a change that breaks callers is refused. A test also lists the numbers
 * and names, because a baseline would preserve an initial mistake.
 */
export const BASELINE = 'proto/baseline.binpb';

/** Writes the generated messages into a folder and replaces the existing ones. */
export function generateMessages(folder: string): void {
  // The output is JavaScript with declarations, because Node cannot strip enums from TypeScript.
  const template = {
    version: 'v2',
    clean: true,
    plugins: [
      {
        // The full paths of Node and of the plugin: otherwise buf looks for both in PATH.
        local: [process.execPath, PLUGIN],
        out: GENERATED,
        opt: ['target=js+dts', 'import_extension=js'],
      },
    ],
  };
  succeed(runBuf('generate', '--template', JSON.stringify(template), '--output', folder));
}

/** Writes the descriptors of all messages, without comments. */
export function buildDescriptors(file: string): void {
  succeed(runBuf('build', '--exclude-source-info', '--output', file));
}

const PLUGIN = fileURLToPath(import.meta.resolve('@bufbuild/protoc-gen-es/bin/protoc-gen-es'));

function succeed({ succeeded, output }: ReturnType<typeof runBuf>): void {
  if (!succeeded) throw new Error(output);
}
