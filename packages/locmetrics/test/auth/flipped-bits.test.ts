// @module-tag slow

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { type FileControlStore, openControlStore } from '@locmetrics/server/auth/control-store';
import { expect, test } from 'vitest';
import { randomNumbers } from '../support/random-numbers.ts';
import { testCount } from '../support/test-count.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder('test');

const SEED = Number(process.env['LOCMETRICS_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Answers that are no rights at all: the second one is that of a token whose hash has changed. */
const REFUSALS = ['RIGHTS_DAMAGED', 'unknown', 'CONTROL_STORE_UNUSABLE'];

test('a flipped bit anywhere in the file changes no rights: each answer is right, or refused with a reason', {
  tags: 'sized',
  timeout: 600_000,
}, () => {
  process.stdout.write(`flipped bits: LOCMETRICS_TEST_SEED=${SEED}\n`);
  const random = randomNumbers(SEED);
  const source = inFolder('source.sqlite');
  const tokens = fill(source);
  const bytes = readFileSync(source);
  const rows = ['shop.', 'catalog', 'acme', 'globex', 'is one'].flatMap((text) =>
    placesOf(bytes, text),
  );
  const expected = answersOf(source, tokens);
  const rounds = testCount('FLIPS', { few: 60, all: 600 });
  let refused = 0;
  let othersAnswered = 0;
  for (let round = 0; round < rounds; round += 1) {
    const near = (rows[Math.floor(random() * rows.length)] ?? 0) + Math.floor(random() * 120) - 40;
    const anywhere = Math.floor(random() * bytes.length);
    const place = random() < 0.7 ? near : anywhere;
    const bit = 1 << Math.floor(random() * 8);
    const path = inFolder(`flipped-${round}.sqlite`);
    copyFileSync(source, path);
    const flipped = Buffer.from(bytes);
    flipped[place] = (flipped[place] ?? 0) ^ bit;
    writeFileSync(path, flipped);
    const answers = answersOf(path, tokens);
    for (const [index, answer] of answers.entries()) {
      const isRefused = REFUSALS.includes(String(answer));
      if (isRefused) refused += 1;
      else
        expect({ round, place, bit, answer }).toEqual({
          round,
          place,
          bit,
          answer: expected[index],
        });
    }
    const some = answers.filter((answer) => REFUSALS.includes(String(answer))).length;
    if (some > 0 && some < answers.length) othersAnswered += 1;
  }
  expect(refused).toBeGreaterThan(0);
  // A row of one organisation refuses no other one.
  expect(othersAnswered).toBeGreaterThan(0);
});

test('the name of a column in another case removes no limit', () => {
  const source = inFolder('source.sqlite');
  const tokens = fill(source);
  const bytes = readFileSync(source);
  const expected = answersOf(source, tokens);
  // The text of the schema stands in the file more than once: a migration rewrites it.
  const answers = placesOf(bytes, 'rows_per_day INTEGER').map((place) => {
    const path = inFolder(`renamed-${place}.sqlite`);
    writeFileSync(path, Buffer.from(bytes).fill('R', place, place + 1));
    return answersOf(path, tokens);
  });
  const refused = tokens.map(() => 'CONTROL_STORE_UNUSABLE');
  for (const answer of answers) expect([expected, refused]).toContainEqual(answer);
  expect(answers).toContainEqual(refused);
});

function fill(path: string): readonly string[] {
  const store = openControlStore(path);
  const tokens = ['acme', 'globex', 'initech'].map((id) => {
    store.createOrganisation({ id, name: `Of ${id}` });
    for (const pattern of ['*', 'shop.*', 'shop.places']) {
      store.addGrant(id, {
        ...wholeGrant('', pattern),
        ...(pattern === '*'
          ? {}
          : { filters: [{ fieldName: 'city', operator: 'in', value: '', values: ['S1', 'é'] }] }),
      });
    }
    store.setLimits(id, { requestsPerSecond: 2.5, rowsPerDay: 1000 });
    return store.createToken({ organisationId: id, name: 'x' }).tokenText;
  });
  store.secret('page-token');
  store.close();
  return tokens;
}

/** The callers of the tokens, or why they are refused. */
function answersOf(path: string, tokens: readonly string[]): readonly unknown[] {
  const store = openControlStore(path, { use: 'service' });
  try {
    return tokens.map((token) => answerOf(store, token));
  } finally {
    store.close();
  }
}

function answerOf(store: FileControlStore, token: string): unknown {
  try {
    const lookup = store.findCaller(token);
    if (!lookup.isAccepted) return lookup.refusal;
    const { rights, ...caller } = lookup.caller;
    return { ...caller, grants: rights.grants, limits: rights.limits };
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    return error.toServiceError().reason;
  }
}

function placesOf(bytes: Buffer, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}
