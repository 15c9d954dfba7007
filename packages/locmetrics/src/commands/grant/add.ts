import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { VERSION_SETTINGS } from '../settings-of-commands.ts';
import { RESTRICTIONS } from './restrictions.ts';

export const command = defineCommand({
  summary: 'grant an organisation datasets or metrics',
  description:
    'Gives an organisation access to the datasets or metrics that match a pattern, or to a part of them. Names are checked against the published data, and the records with each value are counted: you must confirm a value that matches nothing. If several grants match a dataset or metric, only the most specific one applies. A grant takes effect with the next request.',
  examples: {
    'All datasets of a product': 'grant add portland "cafes.*"',
    'The records of two states, without some fields, for a year':
      'grant add portland cafes.places --filter "state in CA,NV" --field id,name,state --until 2026-12-31',
    'A value with a comma':
      'grant add portland cafes.places --filter \'region in "Washington, D.C.",Alabama\'',
    'A metric in one city and one year':
      'grant add portland cafes/visits --component city:Portland --period 2024-01-01/2024-12-31',
    Everything: 'grant add portland "*"',
  },
  settings: VERSION_SETTINGS,
  arguments: {
    '<org>': 'id of the organisation',
    '<pattern>': 'product.dataset or catalog/metric; a * at the end matches any rest',
  },
  flags: {
    ...RESTRICTIONS,
    '--json': 'print the grant, the names that it matches and its values as JSON',
  },
  run: async (output, { org: organisationId, pattern, settings, json, yes, ...flags }) => {
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
      (store) => store.addGrant(organisationId, terms),
    );
    const grant = toGrantAnswer(made);
    output.data(
      json
        ? jsonLine({ grant, names, values: values.map(toCheckedValueAnswer) })
        : `Granted ${organisationId} '${pattern}' (${narrowing(made.grant)}): the grant ${grant.grantId}.\n${grantValuesText(values)}`,
    );
  },
});
