import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestData } from '../../server/test/edge/test-data.ts';
import { openTestServer } from '../../server/test/edge/test-server.ts';
import { clientTypes } from './client-types.ts';

/** Writes src/generated from the OpenAPI document that a server without data serves. */
const generated = join(import.meta.dirname, '..', 'src', 'generated');
const data = await createTestData();
try {
  const server = await openTestServer(data);
  const document = JSON.parse((await server.send('/openapi.json')).text);
  await server.close();
  mkdirSync(generated, { recursive: true });
  for (const [name, text] of Object.entries(clientTypes(document))) {
    writeFileSync(join(generated, name), text);
  }
} finally {
  await data.remove();
}
