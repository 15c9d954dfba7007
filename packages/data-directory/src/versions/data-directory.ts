import { join } from 'node:path';

/** The paths in the data directory. */
export type DataDirectory = {
  readonly root: string;
  readonly current: string;
  readonly control: string;
  /** Usage: the store of merged records, and the folder of segments that are not merged yet. */
  readonly usage: { readonly store: string; readonly segments: string };
  /** The lock of the running service, and a description of it for the message to a second one. */
  readonly serving: { readonly lock: string; readonly holder: string };
  /** The locks for publishing files and for switching versions. */
  readonly publishLock: string;
  readonly switchLock: string;
  /** Which state of the shared store this directory mirrors; absent if it has data of its own. */
  readonly mirror: string;
  /** The versions that a publish is about to switch to; it exists only during the switch. */
  readonly switchIntention: string;
  /** The leases of the workers on versions, one file each. */
  readonly leases: string;
  /** The delivery state of the webhook. */
  readonly webhook: { readonly state: string; readonly lock: string };
  /** The exports, and the folder of their files. */
  readonly exports: { readonly store: string; readonly files: string };
  /** Unfinished versions and spill files, removed with the process that made them. */
  readonly temporary: string;
  /** The self-signed certificate, generated if none is configured. */
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
    mirror: join(root, 'mirror.json'),
    switchIntention: join(root, 'switching.json'),
    leases: join(root, 'leases'),
    webhook: { state: join(root, 'webhook.json'), lock: join(root, 'webhook.lock') },
    exports: { store: join(root, 'exports.sqlite'), files: join(root, 'exports') },
    temporary: join(root, 'tmp'),
    tls: join(root, 'tls'),
    versions,
    datasetVersions: (datasetName) => join(versions, datasetName),
    version: (datasetName, version) => join(versions, datasetName, version),
  };
}

export const VERSION_FILE = 'version.json';
export const REPORT_FILE = 'report.json';
export const EXTENTS_FILE = 'extents.json';
