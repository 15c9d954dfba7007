import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { manifestSchemaText } from '../src/catalog/manifest-schema.ts';

/** Writes the JSON Schema of the manifest, which editors complete and check by. */
writeFileSync(
  fileURLToPath(new URL('../locmetrics.schema.json', import.meta.url)),
  manifestSchemaText(),
);
