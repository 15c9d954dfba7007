import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { DeclaredDataset } from '../manifest/manifest.ts';
import { isAddress, shownAddress } from '../manifest/source-address.ts';
import { PublishError } from '../problems/publish-error.ts';
import type { PublishMode } from './prepare-version.ts';

/** Refuses datasets that cannot be published in the requested way, before any file is read. */
export function checkPublishable(
  selected: readonly DeclaredDataset[],
  {
    mode,
    filesDirectory,
  }: { readonly mode: PublishMode; readonly filesDirectory?: string | undefined },
): void {
  if (mode.kind === 'replace-period') refuseWithoutPeriod(selected);
  if (filesDirectory !== undefined) refuseOtherFiles(selected, resolve(filesDirectory));
}

function refuseWithoutPeriod(selected: readonly DeclaredDataset[]): void {
  const names = selected
    .filter(({ dataset }) => dataset.period === undefined)
    .map(({ dataset }) => dataset.name);
  if (names.length === 0) return;
  throw new PublishError(
    `No period can be replaced in ${names.join(' and ')}: the manifest declares no period there.`,
    'Name the datasets that have a period after the manifest, or declare the period: { start, end }.',
  );
}

/**
 * A manifest may name files by an absolute path, or outside its folder. With a separate directory for the files,
 * these would be the wrong ones: the files of the previous month would be published again.
 */
function refuseOtherFiles(selected: readonly DeclaredDataset[], directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new PublishError(
      `The directory ${directory} of --files does not exist.`,
      'Correct --files; it is relative to where the command runs.',
    );
  }
  for (const { dataset, source } of selected) {
    const named = [...source.files.map((path) => ({ place: 'files', path })), ...source.lookups];
    const outside = named.find((file) => {
      const path = relative(directory, file.path);
      const isUp = path === '..' || path.startsWith(`..${sep}`);
      return isAddress(file.path) || isUp || isAbsolute(path);
    });
    if (outside === undefined) continue;
    const { place, path } = outside;
    throw new PublishError(
      `datasets.${dataset.name}.${place} names ${isAddress(path) ? shownAddress(path) : path}, which is not in ${directory}, where --files looks for the files of the manifest.`,
      'Use relative paths that stay inside the directory, or publish without --files.',
    );
  }
}
