import type { Grant } from '../../domain/grant.ts';
import { grantTexts } from '../../domain/grant-text.ts';
import { escapeControls } from '../../importer/problems/import-error.ts';

/** The restrictions of a grant; the JSON has all of their values. */
export function narrowing(grant: Grant): string {
  return escapeControls(grantTexts(grant).join('; ')) || 'all of it';
}
