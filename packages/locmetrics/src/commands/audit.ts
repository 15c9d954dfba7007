import { defineCommand } from '../cli/define-command.ts';
import { DATA_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list administrative changes',
  description:
    'Lists changes of organisations, tokens, grants and limits, and switches of versions: when, who, and what. The newest comes first. Entries cannot be changed or deleted.',
  examples: {
    'The last 100': 'audit',
    'The changes of one organisation this week': 'audit --org portland --since 7d',
  },
  settings: DATA_SETTINGS,
  arguments: { '[org]': 'id of an organisation; default: all changes' },
  flags: {
    '--org <id>': 'the same as the argument',
    '--since <when>': 'since a day (UTC), such as 2026-01-31, or a duration, such as 24h',
    '--limit <n>': 'maximum number of entries; default: 100',
    '--json': 'print them as JSON',
  },
  run: async (output, given) => (await import('./run/audit.ts')).printAuditAction(output, given),
});
