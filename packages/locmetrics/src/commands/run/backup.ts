import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sizeText } from '@locmetrics/core/errors/size-text';
import { openSqliteUsage } from '@locmetrics/server/metering/open-sqlite-usage';
import type { RequiredTexts, Run } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { hasStore, openDirectory, openStore, usagePlace } from '../../compose/open-data.ts';
import { ConfigError } from '../../config/config-error.ts';

/** Copies the SQLite stores, which cannot be copied as files while a process writes to them. */
export const backUpAction: Run<RequiredTexts<'directory'>> = async (
  output,
  { directory: target, settings, json },
) => {
  const opened = openDirectory({ settings, output });
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const { control, usage } = opened.directory;
  const files: string[] = [];
  const copy = async (from: string, open: () => Copyable | Promise<Copyable>): Promise<void> => {
    const to = join(target, basename(from));
    expectElsewhere(from, to);
    const store = await open();
    try {
      await store.copyTo(to);
    } finally {
      await store.close();
    }
    files.push(to);
  };
  if (hasStore(opened)) await copy(control, () => openStore(opened));
  // Some records may not be merged yet. Those of PostgreSQL are in its own backup.
  const isUsed = existsSync(usage.store) || existsSync(usage.segments);
  const isInFile = usagePlace(opened).postgres === undefined;
  if (isUsed && isInFile) await copy(usage.store, () => openSqliteUsage(usage));
  const copied = files.map((path) => ({ path, bytes: statSync(path).size }));
  if (json) {
    output.data(jsonLine({ files: copied }));
    return;
  }
  for (const { path, bytes } of copied) output.data(`Wrote ${path} (${sizeText(bytes)})\n`);
  if (copied.length === 0) output.data('Nothing to back up yet.\n');
};

type Copyable = {
  readonly copyTo: (path: string) => void | Promise<void>;
  readonly close: () => void | Promise<void>;
};

function expectElsewhere(from: string, to: string): void {
  if (!existsSync(from) || !existsSync(to) || statSync(from).ino !== statSync(to).ino) return;
  throw new ConfigError(`${to} is the original file.`, 'Name another directory.');
}
