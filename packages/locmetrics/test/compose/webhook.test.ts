import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { prepareNotification } from '../../src/compose/notify-webhook.ts';
import { publishStores, STORES_MANIFEST } from '../commands/publish-stores.ts';
import { type CommandResult, linesOf, runCommand, startCommand } from '../commands/run-command.ts';
import { type Service, startService } from '../commands/start-service.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { answerWith, openReceiver, SECRET } from '../webhook/webhook-receiver.ts';

const inFolder = useTemporaryFolder();
const FILES = { 'stores.csv': 'id,city,visits\n1,A,5\n' };
const ENVIRONMENT = { LOCMETRICS_WEBHOOK_SECRET: SECRET };

/** A publish into `data` of a folder: its command line, and where it runs. */
async function preparePublish(name: string, url: string) {
  await mkdir(inFolder(name), { recursive: true });
  const all = { 'locmetrics.yaml': STORES_MANIFEST, ...FILES };
  for (const [file, text] of Object.entries(all)) await writeFile(inFolder(join(name, file)), text);
  const surroundings = { directory: inFolder(name), environment: ENVIRONMENT };
  return [
    ['publish', 'locmetrics.yaml', '--data', 'data', '--webhook', url],
    surroundings,
  ] as const;
}

const runPublish = async (name: string, url: string): Promise<CommandResult> =>
  runCommand(...(await preparePublish(name, url)));

const startServing = (name: string, url: string): Promise<Service> =>
  startService(inFolder(join(name, 'data')), ['--webhook', url], { environment: ENVIRONMENT });

test('a publish calls the webhook before it ends, from the first publish on', async () => {
  const receiver = await openReceiver();
  for (const count of [1, 2]) {
    const { code, data, messages } = await runPublish('told', receiver.url);
    expect([code, messages]).toEqual([0, expect.not.stringContaining('webhook')]);
    const [, version] = /version (\S+)\n/.exec(data) ?? [];
    expect(receiver.received).toHaveLength(count);
    expect(receiver.received.at(-1)?.message).toMatchObject({
      data: { switch: count, by: 'publish', datasets: [{ dataset: 'shop.stores', version }] },
    });
  }
});

test('a refused publish does not call the webhook, and leaves no data directory', async () => {
  const receiver = await openReceiver();
  await mkdir(inFolder('refused'));
  await writeFile(inFolder('refused/locmetrics.yaml'), 'format: 1\ndatasets: 7\n');
  const { code } = await runCommand(['publish', 'locmetrics.yaml', '--webhook', receiver.url], {
    directory: inFolder('refused'),
    environment: ENVIRONMENT,
  });
  expect(code).toBe(1);
  expect(receiver.received).toEqual([]);
  expect(existsSync(inFolder('refused/.locmetrics'))).toBe(false);
});

test('a publish whose webhook call fails succeeds, and the service calls the webhook later', {
  tags: 'slow',
}, async () => {
  const broken = await openReceiver(answerWith(500));
  const { code, data, messages } = await runPublish('later', broken.url);
  expect([code, data]).toEqual([0, expect.stringMatching(/^Published shop\.stores: /)]);
  expect(messages).toContain(
    'The webhook answered 500. locmetrics serve with the same --webhook, or the next command that switches, tries again.\n',
  );
  expect(messages).not.toContain(SECRET);
  const mended = await openReceiver();
  const serving = await startServing('later', mended.url);
  await mended.untilReceived(1);
  expect(mended.received[0]?.id).toBe(broken.received[0]?.id);
  // A command without a webhook setting also switches.
  await publishStores(inFolder('later'), { files: FILES, time: new Date().toISOString() });
  await mended.untilReceived(2);
  expect(mended.switches()).toEqual([1, 2]);
  await expect
    .poll(() => linesOf(serving).filter(({ kind }) => kind === 'webhook_told').length)
    .toBe(2);
  serving.kill('SIGTERM');
  const ended = await serving.ended;
  expect([ended.code, ended.messages]).toEqual([0, expect.not.stringContaining(SECRET)]);
});

test('a publish that is killed during its webhook call has switched, and the service repeats the call', {
  tags: 'slow',
}, async () => {
  const silent = await openReceiver(() => {});
  const publishing = startCommand(...(await preparePublish('killed', silent.url)));
  await silent.untilReceived(1);
  publishing.kill('SIGKILL');
  await publishing.ended;
  const receiver = await openReceiver();
  await startServing('killed', receiver.url);
  await receiver.untilReceived(1);
  expect(receiver.received[0]?.id).toBe(silent.received[0]?.id);
});

test('a command reports why the webhook call failed, without other effects', async () => {
  const said: string[] = [];
  const prepare = (url: string, deliverForMs?: number): ReturnType<typeof prepareNotification> =>
    prepareNotification({
      config: { webhook: url, webhookSecret: SECRET },
      directory: dataDirectory(inFolder('said/data')),
      output: {
        data: () => {},
        messages: (text) => said.push(text),
        isTerminal: false,
        columns: 80,
      },
      ...(deliverForMs === undefined ? {} : { deliverForMs }),
    });
  const publishNow = (): Promise<unknown> =>
    publishStores(inFolder('said'), { files: FILES, time: new Date().toISOString() });
  const silent = await openReceiver(() => {});
  const tellSilent = await prepare(silent.url, 300);
  await publishNow();
  await tellSilent();
  const gone = await openReceiver(answerWith(410));
  await (await prepare(gone.url))();
  await writeFile(inFolder('said/data/webhook.json'), '{');
  const reportDamaged = await prepare(gone.url);
  await publishNow();
  await reportDamaged();
  expect(said.map((text) => text.replace(/ \/\S+/, ' PATH'))).toEqual([
    'The webhook did not answer in time. locmetrics serve with the same --webhook, or the next command that switches, tries again.\n',
    'The webhook answered 410: switch 1 is not sent again.\n',
    'The webhook was not notified. PATH is damaged: locmetrics did not write this content.\n',
    'The webhook was not notified. PATH is damaged: locmetrics did not write this content.\n',
  ]);
});

test.each([
  [['--webhook', 'https://example.org/x'], '--webhook is given, but --webhook-secret is not'],
  [['--webhook-secret', SECRET], '--webhook-secret is given, but --webhook is not.'],
])('half a webhook is refused: %j', { tags: 'slow' }, async (flags, said) => {
  for (const command of [['serve'], ['publish', 'locmetrics.yaml'], ['config', 'print']]) {
    const running = startCommand([...command, ...flags, '--data', 'none'], {
      directory: inFolder('.'),
    });
    const { code, messages } = await running.ended;
    expect([command, code, messages]).toEqual([command, 2, expect.stringContaining(said)]);
    expect(messages).not.toContain(SECRET);
  }
  expect(existsSync(inFolder('none'))).toBe(false);
});

test('the receiver of the documentation accepts only genuine messages', {
  tags: 'slow',
}, async () => {
  const page = await readFile(
    fileURLToPath(new URL('../../../../docs/how-to/follow-versions.md', import.meta.url)),
    'utf8',
  );
  const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const { isSigned } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const receiver = await openReceiver();
  await runPublish('documented', receiver.url);
  const { headers = {}, body = '' } = receiver.received[0] ?? {};
  expect(isSigned(SECRET, headers, body)).toBe(true);
  expect(isSigned(SECRET, headers, `${body} `)).toBe(false);
  const before = new Date(Date.now() - 301_000);
  const late = {
    ...headers,
    'webhook-timestamp': String(Math.floor(before.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign(String(headers['webhook-id']), before, body),
  };
  expect(isSigned(SECRET, late, body)).toBe(false);
});
