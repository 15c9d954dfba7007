import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { expect, test } from 'vitest';
import type { CommandLine } from '../../src/cli/define-command.ts';
import { command as checkGrants } from '../../src/commands/grant/check.ts';
import { command as listGrants } from '../../src/commands/grant/list.ts';
import { publishAction } from '../../src/commands/run/publish.ts';
import { rollBackAction } from '../../src/commands/run/rollback.ts';
import { withdrawVersionAction } from '../../src/commands/run/withdraw-version.ts';
import { where } from '../conformance/filter-clause.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { STORES_MANIFEST } from './publish-stores.ts';
import { runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();
const WITH_NOTE = `${STORES_MANIFEST}      note: { type: string }\n`;

/** These commands ask nothing of the command line. */
const commandLine: CommandLine = {
  asCalled: (text) => text,
  program: () => Promise.reject(new Error('Not asked for.')),
};

/** The commands, run in this process, over stores with or without a field `note`. */
async function openStores(name: string) {
  const data = inFolder(name);
  const directory = dataDirectory(data);
  let written = { data: '', messages: '' };
  const output = {
    data: (text: string) => {
      written = { ...written, data: `${written.data}${text}` };
    },
    messages: (text: string) => {
      written = { ...written, messages: `${written.messages}${text}` };
    },
    isTerminal: false,
    columns: 80,
  };
  const settings = { data };
  const manifest = join(data, '..', `${name}.yaml`);
  await writeFile(inFolder('stores.csv'), 'id,city,visits,note\n1,A,1,x\n2,B,2,y\n');
  /** The output of a command. */
  const run = async (command: (shared: { settings: typeof settings }) => Promise<void>) => {
    written = { data: '', messages: '' };
    await command({ settings });
    return written;
  };
  return {
    directory,
    manifest,
    settings,
    run,
    publish: async (
      text: string,
      flags: { acceptGrantLosses?: boolean; dryRun?: boolean } = {},
    ) => {
      await writeFile(manifest, text);
      return run((shared) =>
        publishAction(output, { manifest, datasets: [], ...shared, ...flags }),
      );
    },
    rollBack: (flags: { acceptGrantLosses?: boolean; json?: boolean } = {}) =>
      run((shared) => rollBackAction(output, { dataset: 'shop.stores', ...shared, ...flags })),
    withdraw: (version: string, flags: { acceptGrantLosses?: boolean; json?: boolean } = {}) =>
      run((shared) => withdrawVersionAction(output, { version, ...shared, ...flags })),
    output,
    /** The output of the failed command. */
    written: () => written,
  };
}

/** Adds a grant for acme that names the field `note`, and a grant for another organisation that does not. */
function grantNote(directory: DataDirectory): string {
  const store = openControlStore(directory.control);
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  store.createOrganisation({ id: 'other', name: 'Other' });
  const { grant } = store.addGrant('acme', {
    ...wholeGrant('', 'shop.*'),
    filters: [where('note', '==', 'x')],
    fields: ['id', 'note'],
  });
  store.addGrant('other', wholeGrant('', '*'));
  store.close();
  return grant.grantId;
}

async function currentOf({ current }: DataDirectory): Promise<string> {
  return JSON.parse(await readFile(current, 'utf8')).datasets['shop.stores'].version;
}

const LOST =
  "Filter note == x: Unknown field 'note' in shop.stores. Field note: Unknown field 'note' in shop.stores.";

test('a publish that removes a field named in a grant is refused with the organisation; if accepted, the report lists it', async () => {
  const { directory, manifest, settings, publish, run, output, written } =
    await openStores('published');
  await publish(WITH_NOTE);
  const grantId = grantNote(directory);
  const before = await currentOf(directory);
  const lost = `acme loses shop.stores (grant ${grantId} of 'shop.*'). ${LOST}`;
  await writeFile(manifest, STORES_MANIFEST);
  expect(await runCommand(['publish', manifest, '--data', settings.data])).toEqual({
    code: 1,
    data: '',
    messages: `Grants would lose data that they name:\n${lost}\nNothing was switched. Keep this data, change these grants, or accept the losses once with --accept-grant-losses.\n`,
  });
  await expect(publish(STORES_MANIFEST, { dryRun: true })).rejects.toThrow(lost);
  expect(await currentOf(directory)).toBe(before);
  const { data } = await publish(STORES_MANIFEST, { acceptGrantLosses: true });
  expect(data).toContain(`\n  grants    ${lost}\n`);
  const after = await currentOf(directory);
  const report = JSON.parse(
    await readFile(join(directory.version('shop.stores', after), 'report.json'), 'utf8'),
  );
  expect(report.grantLosses).toEqual([
    {
      organisationId: 'acme',
      grantId,
      pattern: 'shop.*',
      name: 'shop.stores',
      isSeen: false,
      problems: LOST.split(/(?<=\.) (?=Field)/),
    },
  ]);
  // A loss is reported only once.
  await publish(STORES_MANIFEST);

  const listed = await run((shared) => listGrants.run(output, shared, commandLine));
  expect(listed.data.replaceAll(/[0-9a-v]{12}/g, 'ID__________')).toBe(
    'ID            ORGANISATION  PATTERN  FROM    UNTIL   STATE         WHAT\n' +
      'ID__________  acme          shop.*   always  no end  does not fit  note == x; fields id,note\n' +
      'ID__________  other         *        always  no end  fits          all of it\n',
  );
  expect(listed.messages).toBe(
    '1 of 2 grants does not fit the published data. Why: locmetrics grant check\n',
  );
  const others = await run((shared) =>
    listGrants.run(output, { org: 'other', ...shared }, commandLine),
  );
  expect(others.data).not.toContain('acme');
  expect(others.messages).toBe('');

  const check = run((shared) => checkGrants.run(output, shared, commandLine));
  await expect(check).rejects.toThrow('1 of 2 grants does not fit the published data.');
  expect(written().data).toBe(
    `${grantId} of acme: 'shop.*' (note == x; fields id,note)\n  shop.stores: no access. ${LOST}\n`,
  );
  expect(
    await run((shared) => checkGrants.run(output, { ...shared, org: 'other' }, commandLine)),
  ).toEqual({
    data: 'All grants fit.\n',
    messages: '',
  });
});

test('a rollback and a withdrawal that remove a field named in a grant are refused, or report it', async () => {
  const { directory, publish, rollBack, withdraw } = await openStores('switched');
  await publish(STORES_MANIFEST);
  await publish(WITH_NOTE);
  const grantId = grantNote(directory);
  const version = await currentOf(directory);
  const lost = `acme loses shop.stores (grant ${grantId} of 'shop.*'). ${LOST}`;
  await expect(rollBack()).rejects.toThrow(lost);
  await expect(withdraw(version)).rejects.toThrow(lost);
  expect(await currentOf(directory)).toBe(version);
  const { data, messages } = await rollBack({ acceptGrantLosses: true });
  expect(data).toContain('. Before: ');
  expect(messages).toBe(`${lost}\nTo list grants that do not fit: locmetrics grant check\n`);
  // The rollback restores the field of the grant, so nothing is lost.
  await publish(WITH_NOTE);
  const withdrawn = await withdraw(await currentOf(directory), {
    acceptGrantLosses: true,
    json: true,
  });
  expect(JSON.parse(withdrawn.data).grantLosses).toMatchObject([
    { organisationId: 'acme', grantId },
  ]);
});
