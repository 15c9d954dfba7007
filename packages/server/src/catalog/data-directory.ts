import { join } from 'node:path';

/** Where things lie in the data directory. */
export type DataDirectory = {
  readonly root: string;
  readonly current: string;
  readonly control: string;
  /** What was used: the store of all that is merged, and the folder of what is not yet. */
  readonly usage: { readonly store: string; readonly segments: string };
  /** Held by the one service that runs; and what it is, for the message of another one. */
  readonly serving: { readonly lock: string; readonly holder: string };
  /** Held while files are published, and while something is switched to. */
  readonly publishLock: string;
  readonly switchLock: string;
  /** What a publish is about to switch to; there only for that moment. */
  readonly switchIntention: string;
  /** What workers read, a file for each. */
  readonly leases: string;
  /** How far the webhook was told. */
  readonly webhook: { readonly state: string; readonly lock: string };
  /** Half-made versions and spills; nothing in it outlives the process that made it. */
  readonly temporary: string;
  /** The certificate that is made for this machine, where none is given. */
  readonly tls: string;
  readonly versions: string;
  readonly datasetVersions: (datasetName: string) => string;
  readonly version: (datasetName: string, version: string) => string;
};

export function dataDirectory(root: string): DataDirectory {
  const versions = join(root, 'versions');
  return {
    root,
    current: join(root, 'current.json'),
    control: join(root, 'control.sqlite'),
    usage: { store: join(root, 'usage.sqlite'), segments: join(root, 'usage') },
    serving: { lock: join(root, 'serve.lock'), holder: join(root, 'serve.json') },
    publishLock: join(root, 'publish.lock'),
    switchLock: join(root, 'switch.lock'),
    switchIntention: join(root, 'switching.json'),
    leases: join(root, 'leases'),
    webhook: { state: join(root, 'webhook.json'), lock: join(root, 'webhook.lock') },
    temporary: join(root, 'tmp'),
    tls: join(root, 'tls'),
    versions,
    datasetVersions: (datasetName) => join(versions, datasetName),
    version: (datasetName, version) => join(versions, datasetName, version),
  };
}

export const VERSION_FILE = 'version.json';
export const REPORT_FILE = 'report.json';
