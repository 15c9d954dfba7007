import type { Command } from 'commander';
import type { Shell } from '../shells.ts';
import { bashScript } from './bash.ts';
import { commandShapes } from './command-shapes.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

/**
 * A script that completes the commands, flags and files of a program in a shell. The script contains all of
 * them. Completion libraries run the program at each key press, which starts Node each time.
 */
export function completionScript(program: Command, shell: Shell): string {
  return SCRIPTS[shell](commandShapes(program));
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
