import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of exports: a folder for each, with a folder for each claim. */
export type ExportFolder = {
  readonly root: string;
  readonly make: () => Promise<void>;
  /** The folder of one claim. Its name is that of the claim. */
  readonly ofClaim: (id: string, claim: string) => string;
  /** Removes the files of an export, except those of a claim if one is given. */
  readonly remove: (id: string, except?: string) => Promise<void>;
  readonly removeClaim: (id: string, claim: string) => Promise<void>;
  /** The ids of exports that have a folder. */
  readonly list: () => Promise<readonly string[]>;
};

export function openExportFolder(root: string): ExportFolder {
  const entriesOf = (path: string): Promise<readonly string[]> =>
    readdir(path).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
  return {
    root,
    make: async () => void (await mkdir(root, { recursive: true, mode: 0o700 })),
    ofClaim: (id, claim) => join(root, id, claim),
    remove: async (id, except) => {
      const folder = join(root, id);
      if (except === undefined) return rm(folder, { recursive: true, force: true });
      for (const entry of await entriesOf(folder)) {
        if (entry !== except) await rm(join(folder, entry), { recursive: true, force: true });
      }
    },
    removeClaim: (id, claim) => rm(join(root, id, claim), { recursive: true, force: true }),
    list: () => entriesOf(root),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
