import { escapeControls } from '@locmetrics/ingest/problems/import-error';
import type { FittedGrant } from './fitted-grants.ts';
import { narrowing } from './narrowing.ts';

/** A grant, and a line per dataset and metric that it does not fit. */
export function misfitText({ grant, organisationId, fits, state }: FittedGrant): string {
  const lines = fits
    .filter(({ problems }) => problems.length > 0)
    .map(
      ({ name, isSeen, problems }) =>
        `${name}: ${isSeen ? '' : 'no access. '}${problems.join(' ')}`,
    );
  return [
    `${grant.grantId} of ${organisationId}: '${grant.pattern}' (${narrowing(grant)})`,
    ...(state === 'names_nothing'
      ? ['No published dataset or metric matches this pattern.']
      : lines
    ).map((line) => `  ${escapeControls(line)}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}
