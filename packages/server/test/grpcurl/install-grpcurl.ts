import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RELEASE = 'v1.9.4';
const MODULE = 'github.com/fullstorydev/grpcurl';
const REPOSITORY = join(import.meta.dirname, '..', '..', '..', '..');
/** The build takes a minute, so the program is kept beside the packages. */
const TOOLS = join(REPOSITORY, 'node_modules', '.cache', `grpcurl-${RELEASE}`);

/** The folder of grpcurl, which is built if it is not built yet. Undefined if it cannot be; the reason is printed. */
export function installGrpcurl(say: (line: string) => void): string | undefined {
  if (existsSync(join(TOOLS, 'grpcurl'))) return TOOLS;
  if (spawnSync('go', ['version']).status !== 0) {
    say('Not tested: there is no Go here, which builds grpcurl.');
    return undefined;
  }
  const found = spawnSync('go', ['list', '-m', `${MODULE}@${RELEASE}`], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  if (found.status !== 0) {
    say(`Not tested: the module proxy of Go is not reached here.\n${found.stderr}`);
    return undefined;
  }
  say(`Building grpcurl ${RELEASE}`);
  const built = spawnSync('go', ['install', `${MODULE}/cmd/grpcurl@${RELEASE}`], {
    cwd: tmpdir(),
    env: { ...process.env, GOBIN: TOOLS },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (built.status !== 0) throw new Error('grpcurl could not be built.');
  return TOOLS;
}
