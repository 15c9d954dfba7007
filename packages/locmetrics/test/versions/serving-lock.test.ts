import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import {
  findServing,
  type ServingLock,
  takeServingLock,
} from '@locmetrics/data-directory/versions/serving-lock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

let directory: DataDirectory;
let lock: ServingLock;

const SINCE = '2024-01-02T03:04:05.678Z';
const take = () => takeServingLock(directory, { clock: () => Date.parse(SINCE), waitMs: 0 });

beforeEach(async () => {
  directory = dataDirectory(temporaryFolder());
  lock = take();
});

afterEach(async () => {
  lock.release();
});

/** The message of the refusal of a second service. */
function refusal(): string {
  try {
    take();
  } catch (error) {
    if (error instanceof DataDirectoryError) return error.message;
    throw error;
  }
  throw new Error('The second lock was given.');
}

test('the message names the process that has the directory, with its addresses once it listens', () => {
  const holder = `by the process ${process.pid} on ${hostname()} since ${SINCE}`;
  expect(refusal()).toBe(`${directory.root} is already being served, ${holder}.`);
  lock.describe(['http://127.0.0.1:8080', 'grpcs://127.0.0.1:8443']);
  expect(refusal()).toBe(
    `${directory.root} is already being served, ${holder}, at http://127.0.0.1:8080 and grpcs://127.0.0.1:8443.`,
  );
});

test.each(['', '{', 'null', '[]', '{"format":1,"pid":"x"}'])(
  'if the description of the holder is %j, only the lock counts',
  async (text) => {
    await writeFile(directory.serving.holder, text);
    expect(refusal()).toBe(`${directory.root} is already being served.`);
  },
);

test('the description of a killed holder is ignored', async () => {
  const { holder } = directory.serving;
  const said = await readFile(holder);
  lock.release();
  await writeFile(holder, said);
  lock = take();
});

test('the lock stays although the process reads the files beside it', () => {
  readFileSync(directory.serving.holder);
  expect(refusal()).toContain('is already being served');
});

test('the running service is found with its addresses, and a killed one is not', async () => {
  const addresses = ['http://127.0.0.1:8080'];
  lock.describe(addresses);
  expect(findServing(directory)).toMatchObject({ pid: process.pid, addresses });
  const said = await readFile(directory.serving.holder);
  lock.release();
  await writeFile(directory.serving.holder, said);
  expect(findServing(directory)).toBeUndefined();
  // Looking took nothing from the next service.
  lock = take();
});
