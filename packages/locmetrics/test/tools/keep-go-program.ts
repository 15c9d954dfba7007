import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { keepTool, type Say } from './keep-tool.ts';

/** The folder of a program, which Go builds. Undefined if it cannot be built; the reason is printed. */
export function keepGoProgram(
  name: string,
  { module, command, release }: Readonly<Record<'module' | 'command' | 'release', string>>,
  say: Say,
): string | undefined {
  const version = `${module}/${command}@${release}`;
  return keepTool(name, [version], (folder) => {
    if (spawnSync('go', ['version']).status !== 0) {
      say(`Not tested: there is no Go here, which builds ${name}.`);
      return false;
    }
    const found = spawnSync('go', ['list', '-m', `${module}@${release}`], {
      cwd: tmpdir(),
      encoding: 'utf8',
    });
    if (found.status !== 0) {
      say(`Not tested: the module proxy of Go is not reached here.\n${found.stderr}`);
      return false;
    }
    say(`Building ${name} ${release}`);
    const built = spawnSync('go', ['install', version], {
      cwd: tmpdir(),
      env: { ...process.env, GOBIN: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (built.status !== 0) throw new Error(`${name} could not be built.`);
    return true;
  });
}
