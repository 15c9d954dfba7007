import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ERROR_TABLE } from '@locmetrics/core/errors/service-error';
import { expect, test } from 'vitest';
import { useTestServer } from '../../locmetrics/test/edge/test-server.ts';
import { clientMessages } from '../scripts/client-messages.ts';
import { clientTypes } from '../scripts/client-types.ts';

const { send } = useTestServer(async () => {});

test('the generated types equal the output of `npm run generate`', async () => {
  const document = JSON.parse((await send('/openapi.json')).text);
  const written = clientTypes(document, Object.keys(ERROR_TABLE));

  expect(Object.keys(written)).toHaveLength(6);
  for (const [name, text] of Object.entries(written)) {
    const path = new URL(`../src/generated/${name}`, import.meta.url);
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
});

test('the messages equal those of the contract, and there are no others', () => {
  const folder = new URL('../src/generated/messages/', import.meta.url);
  const written = clientMessages();
  const found = readdirSync(fileURLToPath(folder), { recursive: true, encoding: 'utf8' });
  expect(found.filter((path) => path.includes('.')).toSorted()).toEqual(Object.keys(written));
  for (const [path, text] of Object.entries(written)) {
    expect(readFileSync(new URL(path, folder), 'utf8')).toBe(text);
  }
});
