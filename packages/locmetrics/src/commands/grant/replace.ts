import { defineCommand } from '../../cli/define-command.ts';
import { VERSION_SETTINGS } from '../settings-of-commands.ts';
import { GRANT_FLAGS, GRANT_PATTERN } from './grant-flags.ts';

export const command = defineCommand({
  summary: 'replace all terms of a grant',
  description:
    'Replaces the pattern and all restrictions of a grant in one step: each request sees either the old terms or the new ones. Write all terms, as for grant add: a missing flag means no restriction. The id and the organisation stay.',
  examples: {
    'Add a state and remove the end date':
      'grant replace 0123456789ab cafes.places --filter "state in CA,NV,OR" --field id,name,state',
    'Show the current terms of all grants': 'grant list --json',
  },
  settings: VERSION_SETTINGS,
  arguments: { '<grant>': 'id of the grant', ...GRANT_PATTERN },
  flags: GRANT_FLAGS,
  run: async (output, { grant: grantId, ...given }) => {
    const { changeGrant } = await import('./change-grant.ts');
    await changeGrant(output, given, {
      change: (store, terms) => store.replaceGrant(grantId, terms),
      toText: ({ organisationId, before, grant }, textOf) =>
        `Replaced the grant ${grantId} of ${organisationId}.\n  before  '${before.pattern}' (${textOf(before)})\n  now     '${grant.pattern}' (${textOf(grant)})`,
    });
  },
});
