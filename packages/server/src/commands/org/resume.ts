import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'accept the tokens of a suspended organisation again',
  description:
    'Resumes a suspended organisation: from the next request on, its tokens are accepted again, with the same grants and limits. Tokens that have expired or were revoked in the meantime stay refused.',
  examples: {
    'After a suspension': 'org resume somewhere',
  },
  settings: DATA_SETTINGS,
  arguments: { '<org>': 'id of the organisation' },
  flags: {
    '--json': 'print the organisation as JSON',
  },
  run: async (output, given) =>
    (await import('../run/organisations.ts')).resumeOrganisationAction(output, given),
});
