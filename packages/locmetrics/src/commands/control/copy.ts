import { defineCommand } from '../../cli/define-command.ts';

export const command = defineCommand({
  summary: 'copy the control store and usage to PostgreSQL, or back',
  description:
    'Copies organisations, tokens, grants, limits, secrets, the audit log and usage from the data directory into an empty PostgreSQL, or back into the data directory. Tokens and page tokens stay valid. The source stays unchanged. No service may use the data directory. At the end, it compares the numbers of rows on both sides. Put the password in PGPASSWORD, because other users of the machine can see the flags of a process.',
  examples: {
    'Copy into a database on another machine':
      'control copy --to "postgres://locmetrics@db.example/locmetrics?sslmode=verify-full"',
    'Copy back into a data directory':
      'control copy --from postgres://locmetrics@localhost/locmetrics --data restored',
  },
  settings: ['data'],
  arguments: {},
  flags: {
    '--to <url>': {
      description: 'copy into this PostgreSQL, which must be empty',
      conflicts: 'from',
    },
    '--from <url>': 'copy from this PostgreSQL into the data directory',
    '--json': 'print the number of rows by table as JSON',
  },
  run: async (output, given) =>
    (await import('../run/copy-control.ts')).copyControlAction(output, given),
});
