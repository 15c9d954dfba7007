import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextLoopTick, setTimeout as passTime } from 'node:timers/promises';
import { followStore } from '@locmetrics/cluster/control/follow-store';
import { openSharedStore } from '@locmetrics/cluster/control/open-shared-store';
import { openPostgres } from '@locmetrics/cluster/postgres/open-postgres';
import type { CreatedToken } from '@locmetrics/server/auth/insert-token';

/**
 * Measures for how long a node accepts a token after another node has revoked it: from the end of the call to the first
 * look of the other node that refuses it. Its argument is the URL of an empty database.
 */
const REVOCATIONS = 100;

const [url] = process.argv.slice(2);
if (url === undefined) throw new Error('Give the URL of an empty database of PostgreSQL.');

const folder = mkdtempSync(join(tmpdir(), 'locmetrics-revocations-'));
const postgres = openPostgres(url);
const first = openSharedStore(join(folder, 'first.sqlite'), postgres);
const second = openSharedStore(join(folder, 'second.sqlite'), postgres);
await first.migrate();
await first.bringUpToDate();
await second.bringUpToDate();
await first.createOrganisation({ id: 'acme', name: 'Acme' });

const unheard = { ...postgres, connect: () => Promise.reject(new Error('Without notices.')) };
await measure('with notices', postgres);
await measure('with the look of each second alone', unheard);

await first.close();
await second.close();
await postgres.close();
rmSync(folder, { recursive: true });

async function measure(what: string, listening: typeof postgres): Promise<void> {
  const follower = followStore({
    store: second,
    postgres: listening,
    awayMaxMs: 60_000,
    onFresh: () => {},
    onAway: (error) => print(String(error)),
    onBack: () => {},
    onLastUsedFailed: (error) => print(String(error)),
  });
  const tokens: CreatedToken[] = [];
  while (tokens.length < REVOCATIONS) {
    tokens.push(await first.createToken({ organisationId: 'acme', name: 'x' }));
  }
  await second.bringUpToDate();
  const [calls, lives]: [number[], number[]] = [[], []];
  for (const { tokenText, tokenId } of tokens) {
    await passTime(Math.random() * 100);
    const startedMs = performance.now();
    await first.revokeToken(tokenId);
    const revokedMs = performance.now();
    while (second.findCaller(tokenText).isAccepted) await nextLoopTick();
    calls.push(revokedMs - startedMs);
    lives.push(performance.now() - revokedMs);
  }
  await follower.close();
  print(`${what}: a revocation takes ${summary(calls)}; the token lives on for ${summary(lives)}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** In ms. */
function summary(times: number[]): string {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}
