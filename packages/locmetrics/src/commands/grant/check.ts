import { ControlError } from '@locmetrics/core/errors/control-error';
import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { VERSION_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'find grants that do not match the published data',
  description:
    'Finds current and future grants that name something that is not published: a dataset, metric, field, component or dimension. A grant whose filter names an unknown field gives access to nothing. Exits with code 1 if there is such a grant.',
  examples: {
    'Check the grants of all organisations': 'grant check',
    'Check the grants of one organisation': 'grant check --org portland',
  },
  settings: VERSION_SETTINGS,
  arguments: {},
  flags: {
    '--org <id>': 'only the grants of one organisation',
    '--json': 'print these grants as JSON',
  },
  run: async (output, { settings, json, org }) => {
    const { toFittedGrantAnswer } = await import('@locmetrics/core/encoding/control-entries');
    const { isMisfit, listFitted, misfitCountText } = await import('./fitted-grants.ts');
    const { misfitText } = await import('./misfit-text.ts');
    const fitted = await listFitted({ settings, output }, org);
    const listed = fitted.filter(({ state }) => state !== 'ended');
    const others = listed.filter(isMisfit);
    if (json) {
      const grants = others.map(toFittedGrantAnswer);
      output.data(jsonLine({ checked: listed.length, grants }));
    } else if (others.length === 0) {
      output.data(listed.length === 0 ? 'There are no grants.\n' : 'All grants fit.\n');
    } else {
      output.data(others.map(misfitText).join(''));
    }
    if (others.length === 0) return;
    throw new ControlError(
      misfitCountText(others.length, listed.length),
      'Publish the missing names, or change the grants: locmetrics grant replace, locmetrics grant remove.',
    );
  },
});
