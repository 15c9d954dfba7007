import type { CommandList } from '../cli/command-list.ts';

/** All commands, in the order of the help. A name leads to the file that defines the command. */
export const COMMANDS = {
  demo: () => import('./demo.ts'),
  serve: () => import('./serve.ts'),
  publish: () => import('./publish.ts'),
  init: () => import('./init.ts'),
  inspect: () => import('./inspect.ts'),
  check: () => import('./check.ts'),
  versions: {
    load: () => import('./versions.ts'),
    subcommands: { withdraw: () => import('./versions/withdraw.ts') },
  },
  rollback: () => import('./rollback.ts'),
  dataset: {
    texts: {
      summary: 'remove published datasets',
      description: 'Removes datasets. To list them: locmetrics versions.',
    },
    subcommands: { remove: () => import('./dataset/remove.ts') },
  },
  diff: () => import('./diff.ts'),
  verify: () => import('./verify.ts'),
  gc: () => import('./gc.ts'),
  recover: () => import('./recover.ts'),
  nodes: () => import('./nodes.ts'),
  backup: () => import('./backup.ts'),
  clickhouse: {
    texts: {
      summary: 'move versions between the data directory and ClickHouse',
      description:
        'Moves kept versions between the column files of the data directory and the ClickHouse of --clickhouse.',
    },
    subcommands: {
      load: () => import('./clickhouse/load.ts'),
      fetch: () => import('./clickhouse/fetch.ts'),
    },
  },
  control: {
    texts: {
      summary: 'repair the control store, or copy it to a PostgreSQL that nodes share, and back',
      description:
        'Repairs the control store from a backup, and copies it with the usage between a data directory and a PostgreSQL that nodes share.',
    },
    subcommands: {
      repair: () => import('./control/repair.ts'),
      copy: () => import('./control/copy.ts'),
    },
  },
  org: {
    texts: {
      summary: 'create, list, suspend and resume organisations',
      description: 'Creates, lists, suspends and resumes the organisations that tokens belong to.',
    },
    subcommands: {
      create: () => import('./org/create.ts'),
      list: () => import('./org/list.ts'),
      suspend: () => import('./org/suspend.ts'),
      resume: () => import('./org/resume.ts'),
    },
  },
  token: {
    texts: {
      summary: 'create, list, rotate and revoke tokens',
      description: 'Creates, lists, rotates and revokes the tokens that authenticate requests.',
    },
    subcommands: {
      create: () => import('./token/create.ts'),
      list: () => import('./token/list.ts'),
      rotate: () => import('./token/rotate.ts'),
      revoke: () => import('./token/revoke.ts'),
    },
  },
  grant: {
    texts: {
      summary: 'decide what data organisations may see',
      description:
        'Adds, replaces, lists, checks and removes grants: the data that organisations may see.',
    },
    subcommands: {
      add: () => import('./grant/add.ts'),
      replace: () => import('./grant/replace.ts'),
      list: () => import('./grant/list.ts'),
      check: () => import('./grant/check.ts'),
      remove: () => import('./grant/remove.ts'),
    },
  },
  limits: {
    texts: {
      summary: 'limit how much organisations may use',
      description: 'Sets and lists the limits of organisations.',
    },
    subcommands: {
      set: () => import('./limits/set.ts'),
      list: () => import('./limits/list.ts'),
    },
  },
  exports: {
    texts: {
      summary: 'list and remove exports, and end their links',
      description:
        'Lists and removes the exports of records that callers have created, and ends the links to their files.',
    },
    subcommands: {
      list: () => import('./exports/list.ts'),
      remove: () => import('./exports/remove.ts'),
      'rotate-key': () => import('./exports/rotate-key.ts'),
    },
  },
  audit: () => import('./audit.ts'),
  usage: {
    load: () => import('./usage.ts'),
    subcommands: { merge: () => import('./usage/merge.ts') },
  },
  explore: () => import('./explore.ts'),
  explain: () => import('./explain.ts'),
  config: {
    texts: {
      summary: 'print the settings of the service',
      description: 'Prints the settings of the service.',
    },
    subcommands: { print: () => import('./config/print.ts') },
  },
  completion: () => import('./completion.ts'),
} as const satisfies CommandList;
