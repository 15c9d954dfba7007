import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { ENTRY_POINT, runCommand, runProcess, startCommand } from './run-command.ts';
import { runInProcess } from './run-in-process.ts';

const inFolder = useTemporaryFolder();

const SAMPLE = fileURLToPath(new URL('../../sample/locmetrics.yaml', import.meta.url));

test('--help shows the commands on standard output', async () => {
  const { code, data, messages } = await runCommand(['--help']);
  expect([code, messages]).toEqual([0, '']);
  expect(data).toMatchInlineSnapshot(`
    "Usage: locmetrics <command> [options]

    Location metrics data service: publish files, and serve records to the callers
    you allow.

    Options:
      -V, --version  print the version, with the commit and the day of the build
      -h, --help     show help

    Commands:
      demo           serve the built-in sample
      serve          serve the published datasets
      publish        publish the datasets of a manifest
      init           write a first manifest for files
      inspect        show what files contain, without writing anything
      check          report all errors in a manifest and its files
      versions       list the kept versions
      rollback       switch back to an earlier version
      dataset        remove published datasets
      diff           compare two versions of a dataset
      verify         check the files of versions
      gc             remove versions and files that are no longer needed
      recover        rebuild a lost or damaged current.json
      nodes          list the nodes that share versions
      backup         copy organisations, tokens, grants and usage
      clickhouse     move versions between the data directory and ClickHouse
      control        repair the control store, or copy it to a PostgreSQL that nodes
                     share, and back
      org            create, list, suspend and resume organisations
      token          create, list, rotate and revoke tokens
      grant          decide what data organisations may see
      limits         limit how much organisations may use
      exports        list and remove exports, and end their links
      audit          list administrative changes
      usage          print the usage of organisations
      explore        print a link that opens the explorer and signs you in
      explain        show which store answers a request, and why
      config         print the settings of the service
      completion     print a script that completes commands in a shell
      help           show help of a command

    Examples:
      # Try it with the built-in sample
      locmetrics demo
      # Describe and publish your files, give a customer access, and serve
      locmetrics init cafes/*.csv
      locmetrics publish locmetrics.yaml
      locmetrics org create "City of Portland" --id portland
      locmetrics grant add portland "cafes.*"
      locmetrics token create --org portland --name reports
      locmetrics serve

    Exit codes:
      0    done
      1    failed: the message says why and what to do
      2    wrong usage or wrong settings: the message says which
      130  stopped by Ctrl+C (SIGINT) before the end
      143  stopped by SIGTERM before the end

    Documentation:
      "locmetrics help COMMAND" for one command; /docs of a running service,
      or docs/ in the repository, for everything
    "
  `);
});

test('help of a command shows its flags, their defaults, and their environment variables', async () => {
  const { code, data } = await runCommand(['help', 'publish']);
  expect(code).toBe(0);
  expect(data).toMatchInlineSnapshot(`
    "Usage: locmetrics publish [options] <manifest> [datasets...]

    Publishes all datasets of a manifest, or only the named ones, and switches to
    all of them in one step. Everything is checked before anything changes. If a row
    is wrong, the current versions stay, and the row is reported with its file,
    line, field, value and reason. A report shows what was read and what changed
    since the previous version. A publish that takes away something that a grant
    names is refused, unless --accept-grant-losses is given.

    Arguments:
      manifest                        path of the manifest, such as locmetrics.yaml
      datasets                        names of datasets; default: all

    Options:
      --files <directory>             directory with the files of the manifest;
                                      default: the directory of the manifest
      --append                        add the rows of the files to the current
                                      version
      --replace-period <period>       replace the rows of a period, such as 2024-01,
                                      2024, 2024-01-05 or 2024-01-01/2024-03-31
      --dry-run                       the same as locmetrics check
      --accept-changes                publish even if more has changed than the
                                      manifest accepts
      --without-row-files             publish faster; responses are slower until
                                      locmetrics verify --repair writes the row
                                      files
      --accept-grant-losses           continue even if grants lose a dataset,
                                      metric, field, component or dimension
      --json                          print the reports and the metrics as JSON
      -h, --help                      show help

    Data:
      --data <directory>              data directory: versions, organisations and
                                      tokens (default: .locmetrics)
      --control <url>                 where organisations, tokens and grants are
                                      stored. file: in the data directory. A URL
                                      such as postgres://USER@HOST/DATABASE: in this
                                      PostgreSQL, which several nodes share, with a
                                      copy in the data directory. Put the password
                                      in PGPASSWORD (default: file)
      --versions-kept <number>        how many versions of a dataset are kept: those
                                      that were current most recently (default: 3)
      --versions-kept-for <duration>  how long earlier versions are kept after they
                                      were current (default: 60m)
      --webhook <url>                 webhook URL. It receives a signed POST for
                                      each switch of versions, retried until it is
                                      accepted (default: off)
      --webhook-secret <secret>       secret that signs the webhook requests: whsec_
                                      and 24 to 64 bytes in base64. Required with
                                      --webhook (default: none)
      --config <file>                 configuration file (default: config.yaml in
                                      the data directory, if it exists)

    Processes:
      --publish-memory <size>         memory of the database engine during a
                                      publish. Beyond it, the engine uses the disk.
                                      auto: half of the memory, at most 2GiB
                                      (default: auto)
      --publish-unpacked <size>       maximum size of a downloaded file, and of a
                                      decompressed gzip or zip file, in a publish. A
                                      larger file is refused (default: 64GiB)
      --threads <number>              threads of the database engine, divided among
                                      the workers. auto: one per core (default:
                                      auto)
      --publish-step-time <duration>  maximum time for a statement of a step or
                                      expression in a publish, for up to 100,000
                                      rows. More rows get proportionally more time
                                      (default: 30s)

    Examples:
      # Publish every dataset of a manifest
      locmetrics publish data/locmetrics.yaml
      # Publish one dataset of it
      locmetrics publish data/locmetrics.yaml cafes.places
      # Add a month, from files in another directory
      locmetrics publish data/locmetrics.yaml cafes.visits --append --files incoming/2024-02
      # Replace a wrong month, after a check
      locmetrics check data/locmetrics.yaml cafes.visits --replace-period 2024-01
      locmetrics publish data/locmetrics.yaml cafes.visits --replace-period 2024-01

    A duration is a whole number of ms, s, m, h, d or w.
    A size is a whole number of B, KiB, MiB, GiB or TiB.
    A flag --some-name with a default can also be given as LOCMETRICS_SOME_NAME in
    the environment, or as some-name: VALUE in the configuration file. The order of
    precedence is flag, environment, file, default. "locmetrics config print" prints
    the settings in effect.
    This command also accepts the --clickhouse flags, which
    "locmetrics clickhouse load --help" describes.
    "
  `);
});

test('help names the flags of ClickHouse only where ClickHouse is the subject', async () => {
  const { data } = await runCommand(['grant', 'add', '--help']);
  expect(data).not.toContain('--clickhouse-password');
  expect(data).toContain('This command also accepts the --clickhouse flags');
  expect((await runCommand(['clickhouse', 'load', '--help'])).data).toContain(
    '--clickhouse-password',
  );
  expect((await runCommand(['serve', '--help'])).data).toContain('--clickhouse-password');
});

test('help of a command inside another shows its flags', async () => {
  const { code, data } = await runCommand(['token', 'create', '--help']);
  expect(code).toBe(0);
  expect(data).toMatchInlineSnapshot(`
    "Usage: locmetrics token create [options]

    Creates a token and prints it once: only its hash is stored. It works
    immediately, without a restart.

    Options:
      --org <id>            organisation the token belongs to; required
      --name <name>         what the token is for; required
      --scope <scope>       allowed uses: catalog, metrics, usage, operate, admin;
                            separated by commas or repeated; default:
                            catalog,metrics,usage
      --expires <duration>  lifetime, such as 90d or 24h; default: it does not
                            expire
      --json                print the token, its id, scopes and expiry as JSON
      -h, --help            show help

    Data:
      --data <directory>    data directory: versions, organisations and tokens
                            (default: .locmetrics)
      --control <url>       where organisations, tokens and grants are stored. file:
                            in the data directory. A URL such as
                            postgres://USER@HOST/DATABASE: in this PostgreSQL, which
                            several nodes share, with a copy in the data directory.
                            Put the password in PGPASSWORD (default: file)
      --config <file>       configuration file (default: config.yaml in the data
                            directory, if it exists)

    Examples:
      # Create a token that is valid for 90 days
      locmetrics token create --org portland --name reports --expires 90d
      # Create a token for Prometheus on another machine
      locmetrics token create --org operations --name prometheus --scope operate
      # Save the token to a file, for a script
      locmetrics token create --org portland --name reports > token.txt

    A flag --some-name with a default can also be given as LOCMETRICS_SOME_NAME in
    the environment, or as some-name: VALUE in the configuration file. The order of
    precedence is flag, environment, file, default. "locmetrics config print" prints
    the settings in effect.
    "
  `);
});

test('help of a command with subcommands shows them', async () => {
  const { code, data } = await runCommand(['token', '--help']);
  expect(code).toBe(0);
  expect(data).toMatchInlineSnapshot(`
    "Usage: locmetrics token <command> [options]

    Creates, lists, rotates and revokes the tokens that authenticate requests.

    Options:
      -h, --help  show help

    Commands:
      create      create a token
      list        list tokens
      rotate      replace a token with a new one
      revoke      revoke a token
    "
  `);
});

test.each([
  [
    ['help', 'token', 'create'],
    ['token', 'create', '--help'],
  ],
  [
    ['help', 'token'],
    ['token', '--help'],
  ],
  [['help'], ['--help']],
  [['--help', 'token', 'create'], ['--help']],
])('%j is the same as %j', async (given, same) => {
  expect(await runCommand(given)).toEqual(await runCommand(same));
});

test('a help text fits 80 columns', async () => {
  const helps = await Promise.all(
    [[], ['serve'], ['publish'], ['config', 'print'], ['completion']].map((command) =>
      runCommand([...command, '--help']),
    ),
  );
  const lines = helps.flatMap(({ data }) => data.split('\n'));
  expect(lines.length).toBeGreaterThan(200);
  // An example is one line of any length, so that it can be pasted.
  expect(lines.filter((line) => line.length > 80 && !line.startsWith('  locmetrics '))).toEqual([]);
});

test('--version prints the version, the commit and the day, and nothing else', async () => {
  const { code, data, messages } = await runProcess(['--version']);
  expect({ code, messages }).toEqual({ code: 0, messages: '' });
  expect(data).toMatch(/^\d+\.\d+\.\d+ \(([0-9a-f]{12}, \d{4}-\d\d-\d\d|unknown, unknown)\)\n$/);
});

test('without a command the help goes to standard error', async () => {
  const { code, data, messages } = await runProcess([]);
  expect([code, data]).toEqual([2, '']);
  expect(messages).toMatch(/^Usage: locmetrics /);
});

test.each([
  { given: ['publsh', '--help'], said: "error: unknown command 'publsh'\n(Did you mean publish?)" },
  { given: ['help', 'publsh'], said: "error: unknown command 'publsh'\n(Did you mean publish?)" },
  {
    given: ['help', 'token', 'creat'],
    said: "error: unknown command 'creat'\n(Did you mean create?)\nSee: locmetrics token --help\n",
  },
  {
    given: ['token', 'crate', '-h'],
    said: "error: unknown command 'crate'\n(Did you mean create?)",
  },
  { given: ['--verison'], said: "error: unknown option '--verison'\n(Did you mean --version?)" },
  {
    given: ['sreve', '--data', 'x'],
    said: "error: unknown command 'sreve'\n(Did you mean serve?)",
  },
  {
    given: ['nothing-like-it'],
    said: "error: unknown command 'nothing-like-it'\nSee: locmetrics --help\n",
  },
  { given: ['serve', '--workers'], said: "error: option '--workers <number>' argument missing" },
  { given: ['token'], said: 'Usage: locmetrics token <command> [options]' },
  { given: ['publsh'], said: "error: unknown command 'publsh'\n(Did you mean publish?)" },
  { given: ['org', 'creat', 'x'], said: "error: unknown command 'creat'\n(Did you mean create?)" },
  {
    given: ['publish', 'x.yaml', '--dta', 'y'],
    said: "error: unknown option '--dta'\n(Did you mean --data?)",
  },
  {
    given: ['token', 'list', '--ogr', 'b'],
    said: "error: unknown option '--ogr'\n(Did you mean --org?)",
  },
  { given: ['publish'], said: "error: missing required argument 'manifest'" },
  {
    given: ['token', 'create', '--org', 'acme'],
    said: "error: required option '--name <name>' not specified",
  },
  { given: ['org', 'list', 'extra'], said: "error: too many arguments for 'list'" },
])('$given is wrong usage', async ({ given, said }) => {
  const { code, data, messages } = await runCommand(given);
  expect([code, data]).toEqual([2, '']);
  expect(messages).toContain(said);
  expect(messages).toContain('--help');
});

test.each([
  {
    given: ['serve', '--http', 'localhost'],
    said: "--http: 'localhost' has no port. Write an address with its port, such as 127.0.0.1:8080 or [::1]:8080, or off.",
  },
  {
    given: ['serve', '--http', '127.0.0.1:65536'],
    said: "--http: '127.0.0.1:65536' has a port above 65535. Write an address with its port, such as 127.0.0.1:8080 or [::1]:8080, or off.",
  },
  {
    given: ['serve', '--query-timeout', '5'],
    said: "--query-timeout: '5' has no unit. Write a whole number of ms, s, m, h, d or w, from 1ms to 1h.",
  },
])('$given is wrong usage too', async ({ given, said }) => {
  const directory = inFolder('settings');
  // Refused before a process is started.
  const { code, messages } = await runInProcess([...given, '--data', directory], {
    directory: undefined,
    environment: {},
  });
  expect([code, messages]).toEqual([
    2,
    `${said}\nFor all settings, run: locmetrics serve --help\n`,
  ]);
});

test.each([
  [['org', 'list']],
  [['token', 'list']],
  [['token', 'create', '--org', 'a', '--name', 'b']],
  [['token', 'revoke', 'a']],
])('%j does not create a missing data directory', async (given) => {
  const directory = inFolder('mistyped');
  const { code, messages } = await runCommand([...given, '--data', directory]);
  expect([code, messages]).toEqual([
    2,
    `The data directory ${directory} does not exist.\nName an existing one with --data, or create it: locmetrics publish and locmetrics org create do.\n`,
  ]);
  expect(existsSync(directory)).toBe(false);
});

test('without organisations, the list says how to create one', async () => {
  const directory = inFolder('empty');
  await mkdir(directory);
  expect(await runCommand(['org', 'list', '--data', directory])).toEqual({
    code: 0,
    data: '',
    messages: 'There are no organisations. Create one: locmetrics org create NAME\n',
  });
});

test('an unknown address is reported with a message', { tags: 'slow' }, async () => {
  const { code, messages } = await runCommand([
    'serve',
    '--http',
    'no-such-machine.invalid:80',
    '--allow-plaintext',
    '--workers',
    '1',
    '--data',
    inFolder('nowhere'),
  ]);
  expect(code).toBe(1);
  expect(messages).toMatch(/ENOTFOUND|EAI_AGAIN/);
  expect(messages).not.toContain('    at ');
});

test('a file in the place of the data directory is reported with a message', async () => {
  const file = inFolder('file');
  await writeFile(file, '');
  const { code, messages } = await runCommand(['org', 'create', 'A', '--data', file]);
  expect([code, messages]).toEqual([
    1,
    `EEXIST: file already exists, mkdir '${file}'\nA file exists in place of a directory. Choose another directory: --data DIRECTORY.\n`,
  ]);
});

test.each(['serve', 'publish'])(
  '%s reports a file in the place of the data directory',
  async (command) => {
    const file = inFolder(`${command}-file`);
    await writeFile(file, '');
    const parameters =
      command === 'publish' ? [SAMPLE] : ['--http', '127.0.0.1:0', '--grpc', 'off'];
    const { code, data, messages } = await runCommand([command, ...parameters, '--data', file]);
    expect([code, data]).toEqual([1, '']);
    expect(messages).toMatch(
      /^(EEXIST|ENOTDIR): .*\nA file exists in place of a directory\. Choose another directory: --data DIRECTORY\.\n$/,
    );
  },
);

test('a control store that cannot be opened is reported with its path', async () => {
  await mkdir(inFolder('no-store/control.sqlite'), { recursive: true });
  const { code, messages } = await runCommand(['org', 'list', '--data', inFolder('no-store')]);
  expect([code, messages]).toEqual([
    1,
    `${inFolder('no-store/control.sqlite')} cannot be opened.\nCheck that it is a file that this user can read and write.\n`,
  ]);
});

test('every command reports a probable typing error in an environment variable', async () => {
  const given = ['org', 'create', 'A', '--json', '--data', inFolder('near')];
  const { code, messages } = await runCommand(given, {
    environment: { LOCMETRICS_DTA: inFolder('far') },
  });
  expect([code, messages]).toEqual([
    0,
    'LOCMETRICS_DTA in the environment is not a setting. Did you mean LOCMETRICS_DATA?\n',
  ]);
});

test('the message does not contain the value of a mistyped flag, which can be a secret', async () => {
  const { code, messages } = await runInProcess(['serve', '--otlp-heders=authorization=hush'], {
    directory: undefined,
    environment: {},
  });
  expect([code, messages]).toEqual([
    2,
    "error: unknown option '--otlp-heders'\nSee: locmetrics serve --help\n",
  ]);
});

test('a reader that closes its end of the pipe early is not an error', async () => {
  const running = startCommand(['config', 'print', '--json']);
  running.child.stdout?.destroy();
  const { code, messages } = await running.ended;
  expect([code, messages]).toEqual([0, '']);
});

test('an empty setting in the environment is wrong usage', async () => {
  const { code, messages } = await runCommand(['org', 'list'], {
    environment: { LOCMETRICS_DATA: '' },
  });
  expect([code, messages]).toEqual([
    2,
    'LOCMETRICS_DATA is empty. Write the path of a directory.\nFor all settings, run: locmetrics serve --help\n',
  ]);
});

test('the environment sets the data directory, and a flag overrides it', async () => {
  const environment = { LOCMETRICS_DATA: inFolder('from-environment') };
  await runCommand(['org', 'create', 'A'], { environment });
  await runCommand(['org', 'create', 'A', '--data', inFolder('from-flag')], { environment });
  expect(existsSync(inFolder('from-environment/control.sqlite'))).toBe(true);
  expect(existsSync(inFolder('from-flag/control.sqlite'))).toBe(true);
});

test.each(['18.20.8', '20.19.5', '23.11.1'])(
  'under Node %s the message names the required version',
  async (node) => {
    const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`;
    const { code, data, messages } = await runProcess([], {
      nodeParameters: ['-e', `${versions}; import(${JSON.stringify(ENTRY_POINT)})`],
    });
    expect([code, data]).toEqual([1, '']);
    expect(messages).toBe(
      `locmetrics needs Node 24 or later; this is Node ${node}.\nInstall Node 24 or later. In a clone of the repository, run it through npm, which brings the right one:\n  npm start\n  npx locmetrics --help\nIf npm was told to ignore install scripts, run \`npm rebuild node\` first.\n`,
    );
  },
);
