import { fileURLToPath } from 'node:url';
import { runBuf } from './run-buf.ts';

/** Where the generated messages are, in the folder that `generateMessages` is given. */
export const GENERATED = 'src/generated';

/** The descriptors that a change is compared with, to find out whether it breaks callers. */
export const BASELINE = 'proto/baseline.binpb';

/** Writes the generated messages into a folder, in place of those that are there. */
export function generateMessages(folder: string): void {
  // JavaScript and declarations, because Node strips no enums.
  const template = {
    version: 'v2',
    clean: true,
    plugins: [
      {
        // Named with the Node that runs it: buf would look for both in PATH.
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
