import type { Grant } from '@locmetrics/core/domain/grant';
import { grantTexts } from '@locmetrics/core/domain/grant-text';
import { escapeControls } from '@locmetrics/ingest/problems/import-error';

/** The restrictions of a grant; the JSON has all of their values. */
export function narrowing(grant: Grant): string {
  return escapeControls(grantTexts(grant).join('; ')) || 'all of it';
}
