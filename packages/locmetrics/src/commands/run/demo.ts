import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { metricName } from '@locmetrics/core/domain/metric';
import { DEFAULT_SCOPES, type Scope } from '@locmetrics/core/domain/scope';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import { resolveMetrics } from '@locmetrics/data-directory/versions/resolve-metrics';
import { readManifest } from '@locmetrics/ingest/manifest/read-manifest';
import type { ControlStore } from '@locmetrics/server/auth/control-store';
import { calledAs } from '../../cli/called-as.ts';
import type { Run } from '../../cli/define-command.ts';
import type { Output } from '../../cli/output.ts';
import { type ReadConfig, readConfig } from '../../config/read-config.ts';
import { environmentNameOf, SETTINGS } from '../../config/settings.ts';
import { prepareServing } from '../../serving/prepare-serving.ts';
import type { Served } from '../../serving/serve-primary.ts';
import { findLocalUrl, signInAddress } from './explorer-address.ts';

const PACKAGE_ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const SAMPLE_MANIFEST = join(PACKAGE_ROOT, 'sample', 'locmetrics.yaml');
const ENTRY_POINT = join(PACKAGE_ROOT, 'bin', 'locmetrics.js');
const ORGANISATION_ID = 'demo';

/** Serves the built-in sample: publishes it first if needed, and prepares a token. */
export const demoAction: Run = async (output, { settings }) => {
  const given = readConfig(settings);
  const serving = await prepareServing(given);
  // Closed if the start fails before the service has taken it.
  await using _ = serving.closing;
  const { directory, store } = serving;
  const isNew = !(await hasSample(directory));
  const publishing = isNew ? publishSample(directory, output, environmentOf(given)) : undefined;
  // The parts of the service are loaded while the sample is published.
  const [{ serve }] = await Promise.all([import('../../serving/serve-primary.ts'), publishing]);
  const served = await serve(serving);
  await grantEverything(store);
  const token = findDemoToken(directory, store) ?? (await createDemoToken(store));
  const environmentFile = writeDemoEnvironment(directory, { ...served, token });
  // Log lines of the start come first, so that the welcome text stays visible.
  await serving.log.written();
  const explorer = await describeExplorer(store, served);
  const shownFile = relative('.', environmentFile);
  output.data(welcome({ ...served, token, explorer, environmentFile: shownFile }));
  if (isNew) makeRowFiles(directory, environmentOf(given));
};

/** The sample is served before its row files are there: they take as long as the start of the service. */
function makeRowFiles({ root }: DataDirectory, env: NodeJS.ProcessEnv): void {
  const child = spawn(process.execPath, [ENTRY_POINT, 'verify', '--repair', '--data', root], {
    stdio: 'ignore',
    env,
  });
  // Without them the sample is served as well; the next `verify` tells what is missing.
  child.once('error', () => {});
  child.unref();
  process.once('exit', () => child.kill());
}

/** The environment of a command that uses the same ClickHouse. Flags could be seen by other users of the machine. */
function environmentOf({ written }: ReadConfig): NodeJS.ProcessEnv {
  const own = CLICKHOUSE_KEYS.flatMap((key) => {
    const found = written.get(key);
    if (found === undefined || found.origin === 'default') return [];
    return [[environmentNameOf(SETTINGS[key]), found.text] as const];
  });
  return { ...process.env, ...Object.fromEntries(own) };
}

const CLICKHOUSE_KEYS = [
  'clickhouse',
  'clickhousePassword',
  'clickhouseCluster',
  'clickhouseReplicated',
] as const;

async function hasSample(directory: DataDirectory): Promise<boolean> {
  const { datasets } = await readManifest(SAMPLE_MANIFEST);
  const versions = readCurrentVersions(directory);
  const published = new Set(versions.map(({ dataset }) => dataset.name));
  // A data directory of an earlier release may have the datasets, but not their metrics.
  const served = resolveMetrics(versions).metrics;
  return datasets.every(
    ({ dataset, metrics }) =>
      published.has(dataset.name) && metrics.every((metric) => served.has(metricName(metric))),
  );
}

/** In a separate process, so that its memory is free again before serving. Its reports are shown only if it fails. */
function publishSample(
  { root }: DataDirectory,
  output: Output,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  output.messages('Publishing the sample. This happens only once and takes about ten seconds.\n');
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [ENTRY_POINT, 'publish', SAMPLE_MANIFEST, '--without-row-files', '--data', root],
      { stdio: ['ignore', 'ignore', 'pipe'], env },
    );
    const messages = text(child.stderr);
    child.once('error', reject);
    child.once('close', async (code) => {
      if (code === 0) return resolve();
      output.messages(await messages);
      reject(new Error('The sample could not be published.'));
    });
  });
}

function environmentPath({ root }: DataDirectory): string {
  return join(root, 'demo.env');
}

/** The token of an earlier start, if it still works. */
function findDemoToken(directory: DataDirectory, store: ControlStore): string | undefined {
  const path = environmentPath(directory);
  if (!existsSync(path)) return undefined;
  const token = /^LOCMETRICS_TOKEN=(.+)$/m.exec(readFileSync(path, 'utf8'))?.[1];
  return token !== undefined && store.findCaller(token).isAccepted ? token : undefined;
}

/** Creates the organisation of the demo and its grant if they are missing. */
async function grantEverything(store: ControlStore): Promise<void> {
  if (!store.listOrganisations().some(({ id }) => id === ORGANISATION_ID)) {
    await store.createOrganisation({ id: ORGANISATION_ID, name: 'Demo' });
  }
  const grants = store.listGrants({ organisationId: ORGANISATION_ID });
  if (grants.length === 0) await store.addGrant(ORGANISATION_ID, wholeGrant('', '*'));
}

async function createDemoToken(store: ControlStore): Promise<string> {
  const created = await store.createToken({ organisationId: ORGANISATION_ID, name: 'demo' });
  return created.tokenText;
}

/** An address that opens the explorer signed in, where the service listens on this machine, and what to know of it. */
async function describeExplorer(store: ControlStore, { url = '' }: Served): Promise<string> {
  const local = findLocalUrl([url]);
  if (local === undefined) return `${url}/  (sign in with the token)`;
  const { code } = await store.createSignInLink({
    organisationId: ORGANISATION_ID,
    scopes: EXPLORER_SCOPES,
    expiresAfterMs: LINK_LIFETIME_MS,
  });
  return `${signInAddress(local, code)}  (signs you in; works once, within an hour)`;
}

/** All that the views of the explorer need. */
const EXPLORER_SCOPES: readonly Scope[] = [...DEFAULT_SCOPES, 'admin'];
/** Longer than by default, because the output may be read later. */
const LINK_LIFETIME_MS = 3_600_000;

/** Writes a file for `source` that only its owner can read. */
function writeDemoEnvironment(
  directory: DataDirectory,
  { url, grpc, grpcPlaintext, authorityFile, token }: Served & { readonly token: string },
): string {
  const { root } = directory;
  const path = environmentPath(directory);
  const variables = {
    LOCMETRICS_URL: url ?? '',
    LOCMETRICS_TOKEN: token,
    LOCMETRICS_ORG: ORGANISATION_ID,
    LOCMETRICS_GRPC_ADDRESS: grpc ?? '',
    LOCMETRICS_GRPC_PLAINTEXT_ADDRESS: grpcPlaintext ?? '',
    LOCMETRICS_DATA: root,
    LOCMETRICS_CA_FILE: authorityFile ?? '',
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoteForShell(value)}`);
  const draft = `${path}.${process.pid}.tmp`;
  // The mode counts only for a new file.
  rmSync(draft, { force: true });
  writeFileSync(draft, `${lines.join('\n')}\nexport ${Object.keys(variables).join(' ')}\n`, {
    mode: 0o600,
  });
  // A script that waits for the file never reads a part of it.
  renameSync(draft, path);
  return path;
}

/** Only paths can contain a character that has a meaning in a shell. */
function quoteForShell(value: string): string {
  return /^[\w@%+=:,./[\]-]*$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

/** Four lines. The request is answered with more than its records, which `grep` cuts out. */
function welcome({
  url,
  token,
  explorer,
  environmentFile,
}: Served & {
  readonly token: string;
  readonly explorer: string;
  readonly environmentFile: string;
}): string {
  const request = `curl -s ${url}/v3/catalog/listRecords -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"dataReferenceName": "cafes.places", "fields": [{"name": "name"}, {"name": "city"}], "pageSize": 3}' | grep -o '"records":[^]]*]'`;
  return `
Explorer  ${explorer}
Token     ${token}  (and addresses, as variables: source ${quoteForShell(environmentFile)})
Try       ${request}
Next      ${calledAs()} init FILE, in another terminal: it writes a manifest to publish your own file. Ctrl+C stops.
`;
}
