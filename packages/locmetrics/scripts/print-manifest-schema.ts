import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { manifestSchemaText } from '@locmetrics/ingest/manifest/manifest-schema';

/** Writes the JSON Schema of the manifest. Editors use it for completion and checks. */
writeFileSync(
  fileURLToPath(new URL('../locmetrics.schema.json', import.meta.url)),
  manifestSchemaText(),
);
