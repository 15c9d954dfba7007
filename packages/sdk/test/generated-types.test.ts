import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useTestServer } from '../../server/test/edge/test-server.ts';
import { clientTypes } from '../scripts/client-types.ts';

const { send } = useTestServer(async () => {});

test('the generated types equal the output of `npm run generate`', async () => {
  const written = clientTypes(JSON.parse((await send('/openapi.json')).text));

  expect(Object.keys(written)).toHaveLength(2);
  for (const [name, text] of Object.entries(written)) {
    const path = new URL(`../src/generated/${name}`, import.meta.url);
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
});
