import type { FlagTexts } from '../../cli/define-command.ts';

/** The flags of `grant add` and `grant replace` that narrow a grant. */
export const RESTRICTIONS = {
  '--filter <filter>': {
    description: 'only records that match, such as "state == CA"; repeatable',
    isRepeatable: true,
  },
  '--field <names>': {
    description: 'only these fields, separated by commas; repeatable',
    isRepeatable: true,
  },
  '--component <id:value>': {
    description: 'metrics: only features with this address component; repeatable',
    isRepeatable: true,
  },
  '--dimension <id:value>': {
    description: 'metrics: only values with this dimension value; repeatable',
    isRepeatable: true,
  },
  '--period <start/end>': 'metrics: only values within this period',
  '--feature <id>': {
    description: 'metrics: only values of this feature; repeatable',
    isRepeatable: true,
  },
  '--related-component <id:value>': {
    description: 'metrics: only values of related features with this address component; repeatable',
    isRepeatable: true,
  },
  '--related-feature <id>': {
    description: 'metrics: only values of this related feature; repeatable',
    isRepeatable: true,
  },
  '--from <date>': 'first day (UTC) of the grant; default: no start',
  '--until <date>': 'last day (UTC) of the grant; default: no end',
  '--show-small-cells': 'do not suppress small cells',
  '--lift-default-filters':
    'metrics: a request that filters by a component replaces the default filter on it',
  '--yes': 'continue even if a value matches no published data',
} as const satisfies FlagTexts;
