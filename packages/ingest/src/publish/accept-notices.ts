import type { PublishReport } from '@locmetrics/data-directory/versions/publish-report';
import type { AcceptedNotice } from '../manifest/acceptance.ts';
import { escapeControls } from '../problems/import-error.ts';

/**
 * Separates the notices that the manifest accepts, each with its reason, from those that the owner should read. If
 * all rows were read, an entry of the manifest that accepts none becomes a notice itself, so that it does not outlive its cause.
 */
export function acceptNotices(
  notices: readonly string[],
  {
    accepted,
    isWhole,
  }: { readonly accepted: readonly AcceptedNotice[]; readonly isWhole: boolean },
): Pick<PublishReport, 'acceptedNotices'> & { readonly notices: readonly string[] } {
  const matched = notices.map((notice) => ({
    notice,
    by: accepted.find((entry) => startsLike(notice, entry.notice)),
  }));
  const used = new Set(matched.map(({ by }) => by));
  const unused = isWhole ? accepted.filter((entry) => !used.has(entry)) : [];
  return {
    notices: [
      ...matched.flatMap(({ notice, by }) => (by === undefined ? [notice] : [])),
      ...unused.map(
        ({ notice }) =>
          `no notice of this publish starts with '${escapeControls(notice)}' (accept.notices). Correct the entry, or remove it.`,
      ),
    ],
    acceptedNotices: matched.flatMap(({ notice, by }) =>
      by === undefined ? [] : [{ notice, reason: by.reason }],
    ),
  };
}

/** Whether a text starts with a pattern, in which a * stands for any text. */
function startsLike(text: string, pattern: string): boolean {
  const [start = '', ...others] = pattern.split('*');
  if (!text.startsWith(start)) return false;
  let position = start.length;
  for (const part of others) {
    const found = text.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  return true;
}
