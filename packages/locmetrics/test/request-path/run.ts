/**
 * Prints the files and functions of the service that one warm request runs in a worker, grouped by folder in the
 * order of the pipeline: `npm run show:request -- listRecords`, or `metricValues`; `--grpc` sends it over gRPC.
 * `--write` writes the files of `listRecords` into ARCHITECTURE.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ARCHITECTURE_FILE, withRequestPath } from './architecture-section.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { tracePath } from './trace-path.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grpc: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const [name = 'listRecords'] = positionals;
if (!isOperation(name)) {
  throw new Error(`Run it with one of: ${Object.keys(OPERATIONS).join(', ')}`);
}
const folders = await tracePath(name, { isGrpc: values.grpc });
if (values.write) {
  writeFileSync(
    ARCHITECTURE_FILE,
    withRequestPath(readFileSync(ARCHITECTURE_FILE, 'utf8'), folders),
  );
}
const files = folders.flatMap((folder) => folder.files);
process.stdout.write(
  [
    ...folders.flatMap(({ folder, files: inFolder }) => [
      folder,
      ...inFolder.map(({ file, functions }) => `  ${file}: ${functions.join(', ')}`),
      '',
    ]),
    `${files.length} files, ${files.reduce((sum, file) => sum + file.functions.length, 0)} functions`,
    '',
  ].join('\n'),
);
process.exit();

function isOperation(text: string): text is Operation {
  return Object.hasOwn(OPERATIONS, text);
}
