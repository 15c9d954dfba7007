import type { ExportJob, ExportView } from '@locmetrics/core/requests/export-job';
import type { ExportContext } from '../../exports/export-context.ts';
import { signLink } from '../../exports/export-links.ts';

/** An export with links to its files, as long as they are kept. */
export function toExportView(
  { publicUrl, linkKey }: Pick<ExportContext, 'publicUrl' | 'linkKey'>,
  job: ExportJob,
): ExportView {
  const { id, files, expiresMs = 0 } = job;
  const expires = Math.floor(expiresMs / 1000);
  const key = files.length === 0 ? undefined : linkKey();
  const origin = publicUrl() ?? '';
  const linkTo = (file: string): string =>
    key === undefined ? '' : origin + signLink({ exportId: id, file, expires }, key);
  const links = files.map(({ name }) => linkTo(name));
  return { ...job, links };
}
