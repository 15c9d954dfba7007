import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';

/** How the names of the folders of servers begin. */
export const SERVER_PREFIX = 'postgres-';

/** Ends each PostgreSQL with its data in this folder, which the processes of tests have left running. */
export async function endServers(folder: string): Promise<void> {
  for (const file of globSync(join(folder, `${SERVER_PREFIX}*`, 'postmaster.pid'))) {
    try {
      const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
      process.kill(pid, 'SIGQUIT');
      // It removes the file when all its processes have ended.
      await until(() => !existsSync(file));
    } catch {
      // It has ended meanwhile.
    }
  }
}
