import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type FileHold, holdFile } from '@locmetrics/data-directory/sqlite/file-hold';
import { expect, test, vi } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

/** More steps than a process takes to hold a file that nobody else opens. */
const STEPS = 20;

const inFolder = useTemporaryFolder('test');

test('a file that another process holds first, at any step of the hold, is held by both', () => {
  for (let step = 1; step <= STEPS; step += 1) {
    const path = newFile(step);
    const other: FileHold[] = [];
    const hold = atStep(step, () => holdIfFree(path, other), path);
    hold.release();
    for (const { release } of other) release();
  }
});

test.each(['the new file', 'another file'])(
  'the log of a process that held %s first, at any step of the hold, and was killed is kept',
  (file) => {
    for (let step = 1; step <= STEPS; step += 1) {
      const path = newFile(step);
      const other: FileHold[] = [];
      const killed = () => {
        if (file === 'another file') renameSync(newFile(`${step}-other`), path);
        holdIfFree(path, other);
        if (other.length === 0) return;
        writeFileSync(`${path}-wal`, 'changes');
        for (const { release } of other) release();
      };
      atStep(step, killed, path).release();
      if (other.length > 0) expect(readFileSync(`${path}-wal`, 'utf8')).toBe('changes');
    }
  },
);

function newFile(name: number | string): string {
  const path = inFolder(`${name}.sqlite`);
  writeFileSync(path, '');
  return path;
}

/** Holds a file for a process that waits for nobody, unless one is about to record that it has the path. */
function holdIfFree(path: string, held: FileHold[]): void {
  try {
    held.push(holdFile(path, { waitMs: 0, isLogOfBefore: true }));
  } catch (error) {
    expect(error).toMatchObject({ message: expect.stringContaining('another process') });
  }
}

/** Holds a file, and does something else before a statement of it. */
function atStep(step: number, elsewhere: () => void, path: string): FileHold {
  const { exec, prepare } = DatabaseSync.prototype;
  let count = 0;
  const passStep = (): void => {
    count += 1;
    if (count === step) elsewhere();
  };
  const onExec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
    this: DatabaseSync,
    ...given
  ) {
    passStep();
    return exec.apply(this, given);
  });
  const onPrepare = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
    this: DatabaseSync,
    ...given
  ) {
    passStep();
    return prepare.apply(this, given);
  });
  try {
    return holdFile(path, { waitMs: 0, isLogOfBefore: true });
  } finally {
    onExec.mockRestore();
    onPrepare.mockRestore();
  }
}
