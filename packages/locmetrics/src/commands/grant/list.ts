import type { GrantState } from '@locmetrics/core/domain/grant-fit';
import { defineCommand } from '../../cli/define-command.ts';
import { printList } from '../../cli/output.ts';
import { VERSION_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the grants',
  description:
    'Lists the grants, including ended ones, with their restrictions and whether they match the published data.',
  examples: {
    'List all grants': 'grant list',
    'List the grants of one organisation, with all details': 'grant list --org portland --json',
  },
  settings: VERSION_SETTINGS,
  arguments: { '[org]': 'id of an organisation; default: all' },
  flags: {
    '--org <id>': 'the same as the argument',
    '--json': 'print them with all details as JSON',
  },
  run: async (output, { org: organisationId, settings, json }) => {
    const { grantDays } = await import('@locmetrics/core/domain/grant-days');
    const { toFittedGrantAnswer } = await import('@locmetrics/core/encoding/control-entries');
    const { isMisfit, listFitted, misfitCountText } = await import('./fitted-grants.ts');
    const { narrowing } = await import('./narrowing.ts');
    const listed = await listFitted({ settings, output }, organisationId);
    printList(output, {
      json,
      answer: { grants: listed.map(toFittedGrantAnswer) },
      none: 'There are no grants. Add one: locmetrics grant add ORG PATTERN',
      columns: ['ID', 'ORGANISATION', 'PATTERN', 'FROM', 'UNTIL', 'STATE', 'WHAT'],
      rows: listed.map(({ grant, organisationId: org, state }) => {
        const { from = 'always', until = 'no end' } = grantDays(grant);
        const words = [grant.grantId, org, grant.pattern, from, until, STATE_WORDS[state]];
        return [...words, narrowing(grant)];
      }),
    });
    const others = listed.filter(isMisfit).length;
    if (others > 0 && !json)
      output.messages(`${misfitCountText(others, listed.length)} Why: locmetrics grant check\n`);
  },
});

const STATE_WORDS: Readonly<Record<GrantState, string>> = {
  fits: 'fits',
  misfit: 'does not fit',
  names_nothing: 'names nothing',
  ended: 'ended',
};
