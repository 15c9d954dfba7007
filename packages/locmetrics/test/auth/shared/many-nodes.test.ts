// @module-tag slow

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { delay } from '../../support/delay.ts';
import { randomNumbers } from '../../support/random-numbers.ts';
import { testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import { useNodes } from './two-nodes.ts';

const { openNode, pathOf, postgres, readMirror, readShared, url } = useNodes();

const SCRIPT = fileURLToPath(new URL('./change-at-random.ts', import.meta.url));

test('of many nodes that use a code at the same time, one succeeds', async () => {
  const names = ['first', 'second', 'third', 'fourth'];
  const nodes = await Promise.all(names.map((name) => openNode(name)));
  const [first] = nodes;
  await first?.createOrganisation({ id: 'acme', name: 'Acme' });
  for (let round = 0; round < 5; round += 1) {
    const link = await first?.createSignInLink({ organisationId: 'acme' });
    const tried = await Promise.allSettled(nodes.map((node) => node.signIn(link?.code ?? '')));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
  const [counted] = await postgres().query(
    `SELECT (SELECT count(*) FROM token) AS tokens, (SELECT count(*) FROM sign_in_link) AS links,
       (SELECT count(*) FROM audit WHERE action = 'token.create') AS entries`,
  );
  expect(counted).toEqual({ tokens: 5, links: 0, entries: 5 });
});

test('a token has one successor, and one time of its revocation, whatever nodes ask for', async () => {
  const nodes = await Promise.all(['first', 'second', 'third'].map((name) => openNode(name)));
  const [first] = nodes;
  await first?.createOrganisation({ id: 'acme', name: 'Acme' });
  const token = await first?.createToken({ organisationId: 'acme', name: 'x' });
  const id = token?.tokenId ?? '';
  const rotated = await Promise.allSettled(
    nodes.map((node) => node.rotateToken(id, { overlapMs: 1_000 })),
  );
  expect(rotated.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const revoked = await Promise.all(nodes.map((node) => node.revokeToken(id)));
  expect(new Set(revoked.map((one) => one.revoked)).size).toBe(1);
  expect(revoked.filter(({ wasRevokedBefore }) => !wasRevokedBefore)).toHaveLength(1);
  await Promise.all(nodes.map((node) => node.bringUpToDate()));
  expect(readMirror('third')).toEqual(await readShared());
});

test('processes of several nodes that are killed at any instant leave equal mirrors, and one entry for each change', {
  tags: 'slow',
  timeout: 600_000,
}, async () => {
  const random = randomNumbers(announceSeed('killed nodes'));
  const randomInteger = (bound: number) => Math.floor(random() * bound);
  const kills = testCount('KILLS', { few: 3, all: 100 });
  const owner = await openNode('owner');
  await owner.createOrganisation({ id: 'acme', name: 'Acme' });
  const made: string[] = [];
  const begin = (name: string) => startNode({ name, seed: randomInteger(2 ** 30), made });
  // Two processes of the first node share its mirror.
  const names = ['first', 'first', 'second', 'third'];
  const running = await Promise.all(names.map(begin));
  for (let killed = 0; killed < kills; killed += 1) {
    await delay(20 + randomInteger(130));
    const index = randomInteger(names.length);
    await running[index]?.kill();
    running[index] = await begin(names[index] ?? '');
  }
  await Promise.all(running.map(({ kill }) => kill()));

  const shared = await readShared();
  for (const name of new Set(names)) {
    const node = await openNode(name);
    // The other rows of a mirror say which callers have changed.
    expect(node.listOrganisations()).toHaveLength(1);
    expect(readMirror(name)).toEqual(shared);
  }
  const entries = owner.listAudit({ limit: 1_000_000 });
  await owner.bringUpToDate();
  const all = owner.listAudit({ limit: 1_000_000 });
  expect(all.length).toBeGreaterThanOrEqual(entries.length);
  const changes = all.map(({ action, subject }) => `${action} ${subject}`);
  expect(new Set(changes).size).toBe(changes.length);
  expect(made.filter((one) => !changes.includes(one))).toEqual([]);
  const created = changes.filter((one) => /^token\.(create|rotate) /.test(one));
  expect(shared['token']?.length).toBe(created.length);
  expect(made.length).toBeGreaterThan(kills);
});

type RunningNode = { readonly kill: () => Promise<void> };

/** Resolves once it makes changes. */
async function startNode({
  name,
  seed,
  made,
}: {
  readonly name: string;
  readonly seed: number;
  readonly made: string[];
}): Promise<RunningNode> {
  const child: ChildProcess = spawn(
    process.execPath,
    [SCRIPT, pathOf(name), url(), name, String(seed), '1000000'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('A node ended by itself.')));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'ready') resolve();
      else if (line.startsWith('made ')) made.push(line.slice('made '.length));
    });
  });
  await ready;
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
