import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { VERSION_SETTINGS } from '../settings-of-commands.ts';
import { RESTRICTIONS } from './restrictions.ts';

export const command = defineCommand({
  summary: 'replace all terms of a grant',
  description:
    'Replaces the pattern and all restrictions of a grant in one step: each request sees either the old terms or the new ones. Write all terms, as for grant add: a missing flag means no restriction. The id and the organisation stay.',
  examples: {
    'One more state, and no end':
      'grant replace 0123456789ab cafes.places --filter "state in CA,NV,OR" --field id,name,state',
    'The present terms': 'grant list --json',
  },
  settings: VERSION_SETTINGS,
  arguments: {
    '<grant>': 'id of the grant',
    '<pattern>': 'product.dataset or catalog/metric; a * at the end matches any rest',
  },
  flags: {
    ...RESTRICTIONS,
    '--json': 'print the grant, the names that it matches and its values as JSON',
  },
  run: async (output, { grant: grantId, pattern, settings, json, yes, ...flags }) => {
    const { toCheckedValueAnswer, toGrantAnswer } = await import(
      '@locmetrics/core/encoding/control-entries'
    );
    const { changeGrant } = await import('./change-grant.ts');
    const { grantValuesText } = await import('./confirm-grant-values.ts');
    const { narrowing } = await import('./narrowing.ts');
    const { readGrantFlags } = await import('./read-grant-flags.ts');
    const terms = readGrantFlags(pattern, flags);
    const { made, names, values } = await changeGrant(
      { settings, output, isConfirmed: yes ?? false },
      terms,
      (store) => store.replaceGrant(grantId, terms),
    );
    const { before, ...entry } = made;
    const { organisationId, grant } = entry;
    output.data(
      json
        ? jsonLine({
            grant: toGrantAnswer(entry),
            names,
            values: values.map(toCheckedValueAnswer),
            before: toGrantAnswer({ ...entry, grant: before }),
          })
        : `Replaced the grant ${grantId} of ${organisationId}.\n  before  '${before.pattern}' (${narrowing(before)})\n  now     '${pattern}' (${narrowing(grant)})\n${grantValuesText(values)}`,
    );
  },
});
