import { defineCommand } from '../../cli/define-command.ts';
import { VERSION_SETTINGS } from '../settings-of-commands.ts';
import { GRANT_FLAGS, GRANT_PATTERN } from './grant-flags.ts';

export const command = defineCommand({
  summary: 'grant an organisation datasets or metrics',
  description:
    'Gives an organisation access to the datasets or metrics that match a pattern, or to a part of them. Names are checked against the published data, and the records with each value are counted: you must confirm a value that matches nothing. If several grants match a dataset or metric, only the most specific one applies. A grant takes effect with the next request.',
  examples: {
    'Grant all datasets of a product': 'grant add portland "cafes.*"',
    'Grant the records of two states, with three fields, until a date':
      'grant add portland cafes.places --filter "state in CA,NV" --field id,name,state --until 2026-12-31',
    'Filter by a value that contains a comma':
      'grant add portland cafes.places --filter \'region in "Washington, D.C.",Alabama\'',
    'Grant a metric for one city and one year':
      'grant add portland cafes/visits --component city:Portland --period 2024-01-01/2024-12-31',
    'Grant everything': 'grant add portland "*"',
  },
  settings: VERSION_SETTINGS,
  arguments: { '<org>': 'id of the organisation', ...GRANT_PATTERN },
  flags: GRANT_FLAGS,
  run: async (output, { org: organisationId, ...given }) => {
    const { changeGrant } = await import('./change-grant.ts');
    await changeGrant(output, given, {
      change: (store, terms) => store.addGrant(organisationId, terms),
      toText: ({ grant }, textOf) =>
        `Granted ${organisationId} '${grant.pattern}' (${textOf(grant)}): the grant ${grant.grantId}.`,
    });
  },
});
