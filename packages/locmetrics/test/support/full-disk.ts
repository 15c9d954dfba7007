import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

/** A small disk of its own needs the right to mount. */
export const mayMount = canMount();

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs work with a small disk at a path. The disk is removed afterwards. */
export async function withSmallDisk<Result>(
  root: string,
  size: string,
  work: () => Promise<Result>,
): Promise<Result> {
  mkdirSync(root, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', root]);
  try {
    return await work();
  } finally {
    // The lazy unmount works at once, even if a process of a failed test has it open.
    execFileSync('umount', ['--lazy', root]);
  }
}

/** Fills the disk to the last byte with a file at the path. */
export function fillUp(path: string): void {
  for (const bytes of [2 ** 16, 2 ** 10, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}
