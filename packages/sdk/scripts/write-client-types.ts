import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ERROR_TABLE } from '@locmetrics/core/errors/service-error';
import { createTestData } from '../../locmetrics/test/edge/test-data.ts';
import { openTestServer } from '../../locmetrics/test/edge/test-server.ts';
import { clientMessages } from './client-messages.ts';
import { clientTypes } from './client-types.ts';

/** Writes src/generated: types from the OpenAPI document that a server without data serves, and messages. */
const generated = join(import.meta.dirname, '..', 'src', 'generated');
const data = await createTestData();
try {
  const server = await openTestServer(data);
  const document = JSON.parse((await server.send('/openapi.json')).text);
  await server.close();
  const messages = Object.entries(clientMessages()).map(
    ([path, text]) => [join('messages', path), text] as const,
  );
  rmSync(join(generated, 'messages'), { recursive: true, force: true });
  const types = Object.entries(clientTypes(document, Object.keys(ERROR_TABLE)));
  for (const [path, text] of [...types, ...messages]) {
    mkdirSync(dirname(join(generated, path)), { recursive: true });
    writeFileSync(join(generated, path), text);
  }
} finally {
  await data.remove();
}
