import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXPORT_FORMATS } from '@locmetrics/core/domain/export-format';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { exportsOf } from '../../exports/export-context.ts';
import { isSigned, signLink } from '../../exports/export-links.ts';
import type { ServiceContext } from '../service-context.ts';
import { hasExpired } from './find-own-export.ts';
import { checkExport } from './job-rights.ts';
import { LICENCE_FILE } from './open-parts.ts';

/** The file of an export that a link leads to. */
export type ExportFilePlace = {
  readonly folder: string;
  readonly name: string;
  readonly mediaType: string;
  /** The strong tag of its bytes, which never change. */
  readonly tag: string;
  /** The link to the licences of the records, if they have any. */
  readonly licence: string | undefined;
};

/** A file that another node has, which checks the link too. */
export type ExportFileElsewhere = { readonly node: string };

/** What a link says. */
export type ExportFileRequest = {
  readonly exportId: string;
  readonly file: string;
  readonly expires: number;
  readonly signature: string;
};

/**
 * Finds the file of a link. Refused, always in the same way: a link that was not signed by this service or has expired,
 * an export that has expired, was deleted or has failed, and one whose caller may not have its records any more.
 */
export async function findExportFile(
  context: Pick<ServiceContext, 'catalogFor' | 'exports'>,
  { signature, ...link }: ExportFileRequest,
): Promise<ExportFilePlace | ExportFileElsewhere> {
  const { store, folder, node, linkKey, publicUrl } = exportsOf(context.exports);
  const nowMs = Date.now();
  const { exportId, file, expires } = link;
  if (expires * 1000 <= nowMs || !isSigned(link, signature, linkKey())) throw noSuchFile();
  const found = await store.find(exportId);
  if (found === undefined || hasExpired(found, nowMs)) throw noSuchFile();
  if (found.node !== undefined && found.node !== node) return { node: found.node };
  const { claim, files, format } = await checkExport(context, found);
  if (claim === undefined || files.length === 0) throw noSuchFile();
  const place = folder.ofClaim(exportId, claim);
  const hasLicence = existsSync(join(place, LICENCE_FILE));
  const isLicence = hasLicence && file === LICENCE_FILE;
  if (!isLicence && files.every(({ name }) => name !== file)) throw noSuchFile();
  return {
    folder: place,
    name: file,
    tag: tagOf({ exportId, claim, file }),
    mediaType: isLicence ? 'text/plain; charset=utf-8' : EXPORT_FORMATS[format].mediaType,
    licence: hasLicence
      ? (publicUrl() ?? '') + signLink({ exportId, file: LICENCE_FILE, expires }, linkKey())
      : undefined,
  };
}

/** The files of a claim are written once. */
function tagOf({
  exportId,
  claim,
  file,
}: {
  readonly exportId: string;
  readonly claim: string;
  readonly file: string;
}): string {
  const digest = hash('sha256', `${exportId}\n${claim}\n${file}`, 'base64url');
  return `"${digest.slice(0, TAG_LENGTH)}"`;
}

/** 132 bits. */
const TAG_LENGTH = 22;

export function noSuchFile(): ServiceError {
  return new ServiceError('EXPORT_NOT_FOUND', 'The link is not valid, or not any more.', {
    hint: 'Ask for the export with getRecordsExport, which returns links to its files.',
  });
}
