import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListRecordsResponse } from '@locmetrics/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../locmetrics/test/deploy/deploy-files.ts';
import { NO_NGINX, startDocumentedNginx } from '../../../locmetrics/test/deploy/start-nginx.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { type Explorer, openExplorer } from './explorer.ts';

const PLACES = '/datasets/ml_visitation.places';

let explorer: Explorer;
let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  explorer = await openExplorer({ LOCMETRICS_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => {
  await explorer.close();
});

test('below a path of nginx everything works, and stays below it', {
  timeout: 600_000,
}, async ({ skip }) => {
  if (NO_NGINX !== undefined) return skip(NO_NGINX);
  const { environment } = explorer.sample;
  const nginx = await startDocumentedNginx(
    folder,
    documentedBlock().replace('127.0.0.1:8080', new URL(explorer.url).host),
  );
  const below = `${nginx.url}/metrics-data`;
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await explorer.browser.newContext({ permissions });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('response', (answer) => {
    const url = answer.url();
    const isBelow = url.startsWith(`${below}/`) || /^(?:data|blob):/.test(url);
    if (!isBelow || answer.status() >= 400) wrong.push(`${answer.status()} ${url}`);
  });

  await page.goto(`${below}/#token=${environment['LOCMETRICS_TOKEN']}`);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.goto(`${below}/#${PLACES}/records`);
  await page.getByText('The call', { exact: true }).click();
  const call = page.getByRole('region', { name: 'The call' });
  await call.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`'${below}/v3/catalog/listRecords'`);
  const { stdout } = spawnSync('bash', ['-c', copied], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  const { records }: ListRecordsResponse = JSON.parse(stdout);
  expect(records.length).toBeGreaterThan(10);

  const tile = page.waitForResponse(/\.mvt(?:\?|$)/);
  await page.goto(`${below}/#${PLACES}/map`);
  expect([200, 204]).toContain((await tile).status());

  for (const path of ['/docs/api', '/docs/api/']) {
    await page.goto(`${below}${path}`);
    await page.getByText('Calls use your token').waitFor();
    await page.getByText(below, { exact: true }).waitFor();
  }
  expect(wrong).toEqual([]);
  await context.close();
  await nginx.stop();
});

/** The block of the page about proxies in which nginx removes the path. */
function documentedBlock(): string {
  const page = readFileSync(join(ROOT, 'docs', 'how-to', 'run-as-a-service.md'), 'utf8');
  const blocks = [...page.matchAll(/^```nginx\n(.*?)^```$/gms)].map(([, text = '']) => text);
  return blocks.at(-1) ?? '';
}
