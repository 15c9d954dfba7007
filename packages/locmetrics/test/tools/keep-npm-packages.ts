import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { keepTool, type Say } from './keep-tool.ts';

/**
 * The folder with the packages of npm in its `node_modules`. Undefined if they cannot be had; the reason is printed.
 * The first package is fetched alone, to check whether the registry has it.
 */
export function keepNpmPackages(
  name: string,
  packages: readonly string[],
  {
    say,
    runsScripts = true,
    hasEveryPlatform = true,
  }: {
    readonly say: Say;
    readonly runsScripts?: boolean;
    /** Whether a failure to install a package that the registry has is an error. */
    readonly hasEveryPlatform?: boolean;
  },
): string | undefined {
  return keepTool(name, packages, (folder) => {
    writeFileSync(`${folder}/package.json`, '{ "private": true, "type": "module" }');
    const flags = ['--no-audit', '--no-fund', ...(runsScripts ? [] : ['--ignore-scripts'])];
    const npm = (args: readonly string[]) =>
      spawnSync('npm', [...args, ...flags], { cwd: folder, encoding: 'utf8' });
    const [first = ''] = packages;
    const fetched = npm(['pack', first]);
    if (fetched.status !== 0) {
      say(`Not tested: the registry of npm does not have ${first} here.\n${fetched.stderr}`);
      return false;
    }
    say(`Installing ${packages.join(' and ')}`);
    const installed = npm(['install', ...packages]);
    if (installed.status === 0) return true;
    const problem = `The packages could not be installed:\n${installed.stderr}`;
    if (hasEveryPlatform) throw new Error(problem);
    say(`Not tested: ${first}. ${problem}`);
    return false;
  });
}
