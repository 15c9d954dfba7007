import { defineCommand } from '../cli/define-command.ts';
import { DATA_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list administrative changes',
  description:
    'Lists changes to organisations, tokens, grants and limits, and switches of versions: what changed, when, and who changed it. The newest change comes first. Entries cannot be changed or deleted.',
  examples: {
    'List the last 100 changes': 'audit',
    'List the changes of one organisation in the last 7 days': 'audit --org portland --since 7d',
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
