import { describe, expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { CONTROL_STORES } from './control-stores.ts';

describe.each(CONTROL_STORES)('$name', ({ useStores }) => {
  const inFolder = useTemporaryFolder('test');
  const { openControlStore } = useStores();

  test('an organisation gets the id it is given', async () => {
    const store = await openStore();
    const created = await store.createOrganisation({
      id: 'Acme-Retail_1.eu',
      name: ' Acme Retail ',
    });
    expect(created).toEqual({
      id: 'Acme-Retail_1.eu',
      name: 'Acme Retail',
      created: 1_000,
      suspended: undefined,
    });
    expect(store.listOrganisations()).toEqual([created]);
    await store.close();
  });

  test('an organisation without an id gets one in the form of the hosted service', async () => {
    const store = await openStore();
    const { id } = await store.createOrganisation({ name: 'Acme' });
    expect(id).toMatch(/^[0-9a-v]{20}$/);
    expect((await store.createOrganisation({ name: 'Acme' })).id).not.toBe(id);
    await store.close();
  });

  test('organisations are listed by age', async () => {
    let now = 3;
    const store = await openControlStore(inFolder('control.sqlite'), { clock: () => now-- });
    for (const id of ['third', 'second', 'first']) await store.createOrganisation({ id, name: id });
    expect(store.listOrganisations().map(({ id }) => id)).toEqual(['first', 'second', 'third']);
    await store.close();
  });

  test('an organisation is suspended and resumed; again changes and logs nothing', async () => {
    let now = 1_000;
    const store = await openControlStore(inFolder('control.sqlite'), { clock: () => now });
    const created = await store.createOrganisation({ id: 'acme', name: 'Acme' });
    const { tokenId } = await store.createToken({ organisationId: 'acme', name: 'x' });
    const by = { kind: 'token', tokenId: 't', organisationId: 'boss' } as const;
    now = 2_000;
    const changes = [await store.suspendOrganisation('acme', by)];
    now = 3_000;
    changes.push(await store.suspendOrganisation('acme', by));
    const suspended = { ...created, suspended: 2_000 };
    expect(changes).toEqual([
      { ...suspended, hasChanged: true },
      { ...suspended, hasChanged: false },
    ]);
    expect(store.listOrganisations()).toEqual([suspended]);
    expect(store.listTokens()).toMatchObject([{ tokenId, state: 'active' }]);
    expect(await store.resumeOrganisation('acme', by)).toEqual({ ...created, hasChanged: true });
    expect(await store.resumeOrganisation('acme', by)).toEqual({ ...created, hasChanged: false });
    expect(store.listAudit({ limit: 2 })).toMatchObject([
      {
        action: 'organisation.resume',
        time: 3_000,
        actor: by,
        details: { name: 'Acme', suspended: 2_000 },
      },
      { action: 'organisation.suspend', time: 2_000, actor: by, details: { name: 'Acme' } },
    ]);
    await store.close();
  });

  test('a token that is created while its organisation is suspended works once it is resumed', async () => {
    const store = await openStore();
    await store.createOrganisation({ id: 'acme', name: 'Acme' });
    await store.suspendOrganisation('acme');
    const { tokenText } = await store.createToken({ organisationId: 'acme', name: 'x' });
    expect(store.findCaller(tokenText)).toMatchObject({ refusal: 'suspended' });
    await store.resumeOrganisation('acme');
    expect(store.findCaller(tokenText)).toMatchObject({ isAccepted: true });
    await store.close();
  });

  test('an id that exists is refused and changes nothing', async () => {
    const store = await openStore();
    await store.createOrganisation({ id: 'acme', name: 'Acme' });
    await expect(async () =>
      store.createOrganisation({ id: 'acme', name: 'Other' }),
    ).rejects.toThrow("An organisation with the id 'acme' already exists.");
    expect(store.listOrganisations().map(({ name }) => name)).toEqual(['Acme']);
    await store.close();
  });

  test.each(['', '-acme', '.acme', 'a b', 'acmé', 'a/b', 'acme\n', 'a'.repeat(65)])(
    'the id %j is refused',
    async (id) => {
      const store = await openStore();
      await expect(async () => store.createOrganisation({ id, name: 'Acme' })).rejects.toThrow(
        'cannot be the id of an organisation.',
      );
      expect(store.listOrganisations()).toEqual([]);
      await store.close();
    },
  );

  test.each(['a', '7', 'a'.repeat(64)])('the id %j is accepted', async (id) => {
    const store = await openStore();
    expect((await store.createOrganisation({ id, name: 'Acme' })).id).toBe(id);
    await store.close();
  });

  test.each([
    ['', 'is blank.'],
    [' \t\n', 'is blank.'],
    ['a'.repeat(201), 'has 201 characters.'],
    ['two\nlines', 'has a character that cannot be printed'],
    ['half a pair \ud800', 'has a character that cannot be printed'],
  ])('the name %j is refused', async (name, reason) => {
    const store = await openStore();
    await expect(async () => store.createOrganisation({ name })).rejects.toThrow(reason);
    await store.close();
  });

  test.each(['a'.repeat(200), "Müller & Söhne's; --", '株式会社', '👩‍🔧 Repairs'])(
    'the name %j is kept as it is',
    async (name) => {
      const store = await openStore();
      await store.createOrganisation({ name });
      expect(store.listOrganisations().map((organisation) => organisation.name)).toEqual([name]);
      await store.close();
    },
  );

  async function openStore() {
    return await openControlStore(inFolder('control.sqlite'), { clock: () => 1_000 });
  }
});
