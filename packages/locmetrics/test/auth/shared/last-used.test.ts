// @module-tag slow

import { openLastUsedExchange } from '@locmetrics/cluster/control/exchange-last-used';
import { readState } from '@locmetrics/cluster/postgres/change-log';
import { expect, test } from 'vitest';
import { useNodes } from './two-nodes.ts';

const { openNode, postgres } = useNodes();

test('the latest use on any node is in the lists of all nodes, and not in the log of changes', async () => {
  const [first, second] = [await openNode('first'), await openNode('second')];
  await first.createOrganisation({ id: 'acme', name: 'Acme' });
  const { tokenId } = await first.createToken({ organisationId: 'acme', name: 'x' });
  const other = await first.createToken({ organisationId: 'acme', name: 'y' });
  await second.bringUpToDate();
  const before = await readState(postgres().query);
  const exchanges = [first, second].map((node) => openLastUsedExchange(postgres(), node.mirror));
  const exchangeAll = async () => {
    for (const { exchange } of [...exchanges, ...exchanges]) await exchange();
  };
  const lastUsed = (node: typeof first) => node.getToken(tokenId).lastUsed;
  first.mirror().writeLastUsed([[tokenId, 2_000]]);
  second.mirror().writeLastUsed([
    [tokenId, 1_000],
    [other.tokenId, 500],
  ]);
  await exchangeAll();
  expect([lastUsed(first), lastUsed(second)]).toEqual([2_000, 2_000]);
  expect(first.getToken(other.tokenId).lastUsed).toBe(500);
  second.mirror().writeLastUsed([[tokenId, 3_000]]);
  await exchangeAll();
  expect([lastUsed(first), lastUsed(second)]).toEqual([3_000, 3_000]);
  // A change of the token keeps its time.
  await first.revokeToken(tokenId);
  await second.bringUpToDate();
  expect([lastUsed(first), lastUsed(second)]).toEqual([3_000, 3_000]);
  const rows = await postgres().query('SELECT last_used FROM token WHERE id = $1', [tokenId]);
  expect(rows).toEqual([{ last_used: 3_000 }]);
  const after = await readState(postgres().query);
  // The revocation: the token and its entry of the audit log.
  expect(after.number - before.number).toBe(2);
});
