import type { ArgumentTexts, FlagTexts } from '../../cli/define-command.ts';

/** The argument of `grant add` and `grant replace` with the pattern of the grant. */
export const GRANT_PATTERN = {
  '<pattern>': 'product.dataset or catalog/metric; a * at the end matches any text',
} as const satisfies ArgumentTexts;

/** The flags of `grant add` and `grant replace`. */
export const GRANT_FLAGS = {
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
  '--json': 'print the grant, the names that it matches and its values as JSON',
} as const satisfies FlagTexts;
