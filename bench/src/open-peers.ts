import { join } from 'node:path';
import type { DatasetReader } from './dataset/dataset-reader.ts';
import { worldName } from './dataset/world.ts';
import type { Target } from './driver/load-order.ts';
import type { Settings } from './settings.ts';
import { loadCountyTiles } from './systems/load-county-tiles.ts';
import { loadPolygons } from './systems/load-polygons.ts';
import { loadPostgresql } from './systems/load-postgresql.ts';
import { loadTiles } from './systems/load-tiles.ts';
import { openPostgresql } from './systems/open-postgresql.ts';
import { findNginx, startNginx } from './systems/start-nginx.ts';
import { postgrestVersion, startPostgrest } from './systems/start-postgrest.ts';

export type Peers = AsyncDisposable & {
  readonly postgrest: Target;
  readonly postgrestForPartner: Target;
  readonly postgrestBehindNginx: Target | undefined;
  /** PostgREST too, if the PostgreSQL has PostGIS. */
  readonly postgis: Target | undefined;
  readonly versions: {
    readonly postgresql: string;
    readonly postgrest: string;
    readonly nginx?: string;
    readonly postgis?: string;
  };
};

/** Starts PostgREST over a PostgreSQL with the same data. */
export async function openPeers({
  settings,
  folder,
  work,
  dataset,
  messages,
}: {
  readonly settings: Settings;
  readonly folder: string;
  readonly work: string;
  readonly dataset: DatasetReader;
  readonly messages: (line: string) => void;
}): Promise<Peers> {
  await using things = new AsyncDisposableStack();
  const version = await postgrestVersion();
  const postgresql = things.use(await openPostgresql({ folder: join(folder, 'postgresql'), work }));
  messages('Loading PostgreSQL');
  await loadPostgresql(postgresql, {
    worldName: worldName(settings.world),
    dataset,
    work,
    fresh: settings.fresh,
  });
  const needsPostgis = settings.only.some((id) => /^W(9|12|13)/.test(id));
  const postgis = needsPostgis ? await loadTiles(postgresql) : undefined;
  if (postgis !== undefined) {
    await loadPolygons(postgresql);
    await loadCountyTiles(postgresql);
  }
  if (needsPostgis && postgis === undefined) {
    messages(
      'There is no PostGIS here, so W9, W12 and W13 have ours alone: apt-get install postgis',
    );
  }
  const { target, forPartner } = things.use(
    await startPostgrest({ uri: postgresql.uri, logFile: join(work, 'postgrest.log') }),
  );
  const needsNginx = settings.only.includes('W1gzip');
  const command = needsNginx ? findNginx() : undefined;
  if (needsNginx && command === undefined) {
    messages('There is no nginx here, so W1gzip leaves out PostgREST: apt-get install nginx');
  }
  const nginx =
    command === undefined
      ? undefined
      : things.use(await startNginx({ command, behind: target, folder: join(work, 'nginx') }));
  const postgresqlVersion = (await postgresql.run('SHOW server_version;')).trim();
  const kept = things.move();
  return {
    postgrest: target,
    postgrestForPartner: forPartner,
    postgrestBehindNginx: nginx?.target,
    postgis: postgis === undefined ? undefined : target,
    versions: {
      postgresql: postgresqlVersion,
      postgrest: version,
      ...(postgis === undefined ? {} : { postgis }),
      ...(nginx === undefined ? {} : { nginx: nginx.version }),
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
