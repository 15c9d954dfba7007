import { hasOwnVersions } from '@locmetrics/cluster/versions/mirror-mark';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { findServing } from '@locmetrics/data-directory/versions/serving-lock';
import { ConfigError } from '../config/config-error.ts';
import { areVersionsShared, type OpenedDirectory } from './open-data.ts';

/** The versions of a data directory of its own become those of all nodes. */
export type Sharing = {
  /** To be called when all kept versions have their tables. */
  readonly share: () => Promise<void>;
  /** For the terminal. */
  readonly doneText: string;
  readonly close: () => Promise<void>;
};

/** Undefined if the settings share no versions. Refuses a mirror, and a shared store with other versions. */
export async function openSharing(
  opened: OpenedDirectory,
  /** The dataset that is asked for. */
  name: string | undefined,
): Promise<Sharing | undefined> {
  const { config, directory } = opened;
  if (config.control === undefined || !areVersionsShared(config)) return undefined;
  if (!hasOwnVersions(directory)) refuseShared(opened);
  if (name !== undefined) {
    throw new ConfigError(
      'With --control and --clickhouse, the versions of all datasets are shared with all nodes in one step.',
      'Leave out the name of the dataset.',
    );
  }
  if (findServing(directory) !== undefined) {
    throw new DataDirectoryError(
      `A service runs on ${directory.root}.`,
      'Load the tables without --control while it runs; then stop it, and run this command again.',
    );
  }
  const [{ openPostgres }, { expectShareable, shareOwnVersions }] = await Promise.all([
    import('@locmetrics/cluster/postgres/open-postgres'),
    import('@locmetrics/cluster/versions/share-own-versions'),
  ]);
  const postgres = openPostgres(config.control, { connectionsMax: 1 });
  try {
    await expectShareable(postgres, directory);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return {
    share: () => shareOwnVersions(postgres, directory),
    doneText: `All kept versions are now shared: PostgreSQL at ${postgres.address} says which are current, and ${directory.root} is a mirror of it.`,
    close: postgres.close,
  };
}

/** The files of a mirror are those of all nodes; what a publish needs besides, it makes itself. */
export function refuseShared({ config }: OpenedDirectory): void {
  if (!areVersionsShared(config)) return;
  throw new ConfigError(
    'With --control and --clickhouse the tables are the data of all nodes, and the data directory is a mirror without column files.',
    'You need not move anything: a publish that extends a version writes its column file from the table.',
  );
}
