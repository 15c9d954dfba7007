import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ERROR_TABLE } from '@locmetrics/core/errors/service-error';
import { LOG_TABLE } from '@locmetrics/server/observe/log-table';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
const MESSAGES = read('docs/how-to/troubleshooting.md');
const REQUESTS = read('docs/how-to/troubleshoot-requests.md');

/** Messages that the code composes, with the parts that it has of each. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  'is already being served, by the process': ['is already being served', ', by the process'],
  'Name a PEM file with the certificate that the service can read': ['Name a PEM file with the '],
  'does not exist. Correct the name under': ['does not exist', 'Correct the name under'],
  'is already in line': ['is already in '],
  'One value matches nothing that is published': ['One value matches', 'nothing that is published'],
};
/** Messages of other programs. */
const FOREIGN = /^(npm |locmetrics: command not found|listen EADDRINUSE)/;

test('the messages of the page are those of the commands', () => {
  const sources = globSync('packages/*/src/**/*.ts', { cwd: ROOT }).map(read).join('\n');
  const headings = [...MESSAGES.matchAll(/^### `([^`]+)`$/gm)].map(([, message = '']) => message);
  expect(headings.length).toBeGreaterThan(25);
  const parts = headings
    .filter((message) => !FOREIGN.test(message))
    .flatMap((message) => message.split('…'))
    .map((part) => part.trim().replace(/[.:]$/, ''))
    .filter((part) => part.length > 2)
    .flatMap((part) => COMPOSED[part] ?? part);
  expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
});

test('every reason and every kind of log line on the pages exists', () => {
  const pages = `${MESSAGES}${REQUESTS}`;
  const reasons = [...pages.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, reason = '']) => reason);
  const kinds = [...pages.matchAll(/[Tt]he log has (`.*?)[.,\n]/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/`([a-z_]+)`/g)].map(([, kind = '']) => kind),
  );
  expect(reasons.length).toBeGreaterThan(25);
  expect(kinds.length).toBeGreaterThan(6);
  expect(reasons.filter((reason) => !Object.hasOwn(ERROR_TABLE, reason))).toEqual([]);
  expect(kinds.filter((kind) => !Object.hasOwn(LOG_TABLE, kind))).toEqual([]);
});
