import { copyFile, link } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Gives a file of a version to another version as well, by a hard link: files of versions are replaced or removed, and
 * never changed. It is copied where the file system has no links.
 */
export async function linkFile(
  name: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  try {
    await link(join(from, name), join(to, name));
  } catch {
    await copyFile(join(from, name), join(to, name));
  }
}
