import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jsonLine } from '../cli/print-list.ts';
import type { Action } from '../cli/program.ts';
import { ConfigError } from '../config/config-error.ts';
import { sizeText } from '../domain/size-text.ts';
import { openUsageStore } from '../metering/open-usage-store.ts';
import { openDirectory, openStore } from './open-data.ts';

/** Copies the SQLite stores, which cannot be copied as files while a process writes to them. */
export const backUpAction: Action<'backUp'> = async (output, target, { settings, json }) => {
  const { directory } = openDirectory({ settings, output });
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const { control, usage } = directory;
  const files: string[] = [];
  const copy = (from: string, open: () => Copyable): void => {
    const to = join(target, basename(from));
    expectElsewhere(from, to);
    const store = open();
    try {
      store.copyTo(to);
    } finally {
      store.close();
    }
    files.push(to);
  };
  if (existsSync(control)) copy(control, () => openStore(directory));
  // Some records may not be merged yet.
  const isUsed = existsSync(usage.store) || existsSync(usage.segments);
  if (isUsed) copy(usage.store, () => openUsageStore(usage));
  const copied = files.map((path) => ({ path, bytes: statSync(path).size }));
  if (json) {
    output.data(jsonLine({ files: copied }));
    return;
  }
  for (const { path, bytes } of copied) output.data(`Wrote ${path} (${sizeText(bytes)})\n`);
  if (copied.length === 0) output.data('Nothing to back up yet.\n');
};

type Copyable = { readonly copyTo: (path: string) => void; readonly close: () => void };

function expectElsewhere(from: string, to: string): void {
  if (!existsSync(from) || !existsSync(to) || statSync(from).ino !== statSync(to).ino) return;
  throw new ConfigError(`${to} is the original file.`, 'Name another directory.');
}
