import { expect, test } from 'vitest';
import { openControlStore } from '../../src/auth/control-store.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

const inFolder = useTemporaryFolder();

test('an organisation gets the id it is given', () => {
  const store = openStore();
  const created = store.createOrganisation({ id: 'Acme-Retail_1.eu', name: ' Acme Retail ' });
  expect(created).toEqual({ id: 'Acme-Retail_1.eu', name: 'Acme Retail', created: 1_000 });
  expect(store.listOrganisations()).toEqual([created]);
  store.close();
});

test('an organisation without an id gets one in the form of the hosted service', () => {
  const store = openStore();
  const { id } = store.createOrganisation({ name: 'Acme' });
  expect(id).toMatch(/^[0-9a-v]{20}$/);
  expect(store.createOrganisation({ name: 'Acme' }).id).not.toBe(id);
  store.close();
});

test('organisations are listed by age', () => {
  let now = 3;
  const store = openControlStore(inFolder('control.sqlite'), { clock: () => now-- });
  for (const id of ['third', 'second', 'first']) store.createOrganisation({ id, name: id });
  expect(store.listOrganisations().map(({ id }) => id)).toEqual(['first', 'second', 'third']);
  store.close();
});

test('an id that exists is refused and changes nothing', () => {
  const store = openStore();
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  expect(() => store.createOrganisation({ id: 'acme', name: 'Other' })).toThrow(
    "An organisation with the id 'acme' already exists.",
  );
  expect(store.listOrganisations().map(({ name }) => name)).toEqual(['Acme']);
  store.close();
});

test.each(['', '-acme', '.acme', 'a b', 'acmé', 'a/b', 'acme\n', 'a'.repeat(65)])(
  'the id %j is refused',
  (id) => {
    const store = openStore();
    expect(() => store.createOrganisation({ id, name: 'Acme' })).toThrow(
      'cannot be the id of an organisation.',
    );
    expect(store.listOrganisations()).toEqual([]);
    store.close();
  },
);

test.each(['a', '7', 'a'.repeat(64)])('the id %j is accepted', (id) => {
  const store = openStore();
  expect(store.createOrganisation({ id, name: 'Acme' }).id).toBe(id);
  store.close();
});

test.each([
  ['', 'is blank.'],
  [' \t\n', 'is blank.'],
  ['a'.repeat(201), 'has 201 characters.'],
  ['two\nlines', 'has a character that cannot be printed'],
  ['half a pair \ud800', 'has a character that cannot be printed'],
])('the name %j is refused', (name, reason) => {
  const store = openStore();
  expect(() => store.createOrganisation({ name })).toThrow(reason);
  store.close();
});

test.each(['a'.repeat(200), "Müller & Söhne's; --", '株式会社', '👩‍🔧 Repairs'])(
  'the name %j is kept as it is',
  (name) => {
    const store = openStore();
    store.createOrganisation({ name });
    expect(store.listOrganisations().map((organisation) => organisation.name)).toEqual([name]);
    store.close();
  },
);

function openStore() {
  return openControlStore(inFolder('control.sqlite'), { clock: () => 1_000 });
}
