import { asCalled, calledAs } from './cli/called-as.ts';
import { type Colours, findColours } from './cli/colours.ts';
import { EXIT_CODES } from './cli/exit-codes.ts';
import { type Output, processOutput } from './cli/output.ts';
import { type Action, type Actions, createProgram } from './cli/program.ts';
import { readParameters } from './cli/read-parameters.ts';
import { reportError } from './cli/report-error.ts';
import { buildText } from './compose/build-info.ts';

/**
 * The composition root. A command loads its parts when it runs, so that `--help` and a mistyped command
 * answer at once. Returns the exit code; a started service keeps running.
 */
export async function main(
  parameters: readonly string[],
  {
    output: plainOutput = processOutput(),
    colours = findColours(process, process.env),
  }: { readonly output?: Output; readonly colours?: Colours } = {},
): Promise<number> {
  const called = calledAs();
  const output: Output = {
    ...plainOutput,
    messages: (text) => plainOutput.messages(asCalled(text, called)),
  };
  /** Loads the function of a command when it runs, and gives it the output. */
  const run =
    <Name extends keyof Actions>(
      name: Name,
      load: () => Promise<Readonly<Record<`${Name}Action`, Action<Name>>>>,
    ) =>
    async (...given: Parameters<Actions[Name]>): Promise<void> =>
      (await load())[`${name}Action` as const](output, ...given);
  const organisations = () => import('./commands/organisations.ts');
  const tokens = () => import('./commands/tokens.ts');
  const grants = () => import('./commands/grants.ts');
  const limits = () => import('./commands/limits.ts');
  const program = createProgram({
    // In a clone it asks git, so only a command that prints it pays for that.
    version: parameters.some((one) => one === '--version' || one === '-V') ? buildText() : '',
    // Help is text for the reader too; all else that goes to the standard output is data.
    output: { ...output, data: (text) => plainOutput.data(asCalled(text, called)) },
    colours,
    actions: {
      demo: run('demo', () => import('./commands/demo.ts')),
      serve: async (...given) => (await import('./serving/serve.ts')).serveAction(...given),
      publish: run('publish', () => import('./commands/publish.ts')),
      init: run('init', () => import('./commands/init.ts')),
      inspect: run('inspect', () => import('./commands/inspect.ts')),
      check: run('check', () => import('./commands/check.ts')),
      listVersions: run('listVersions', () => import('./commands/list-versions.ts')),
      withdrawVersion: run('withdrawVersion', () => import('./commands/withdraw-version.ts')),
      removeDataset: run('removeDataset', () => import('./commands/remove-dataset.ts')),
      rollBack: run('rollBack', () => import('./commands/rollback.ts')),
      compareVersions: run('compareVersions', () => import('./commands/diff.ts')),
      verifyVersions: run('verifyVersions', () => import('./commands/verify.ts')),
      loadTables: run('loadTables', () => import('./commands/clickhouse-load.ts')),
      fetchFiles: run('fetchFiles', () => import('./commands/clickhouse-fetch.ts')),
      collectGarbage: run('collectGarbage', () => import('./commands/gc.ts')),
      recoverCurrent: run('recoverCurrent', () => import('./commands/recover.ts')),
      listNodes: run('listNodes', () => import('./commands/list-nodes.ts')),
      repairControl: run('repairControl', () => import('./commands/repair-control.ts')),
      copyControl: run('copyControl', () => import('./commands/copy-control.ts')),
      backUp: run('backUp', () => import('./commands/backup.ts')),
      createOrganisation: run('createOrganisation', organisations),
      listOrganisations: run('listOrganisations', organisations),
      suspendOrganisation: run('suspendOrganisation', organisations),
      resumeOrganisation: run('resumeOrganisation', organisations),
      createToken: run('createToken', tokens),
      listTokens: run('listTokens', tokens),
      rotateToken: run('rotateToken', tokens),
      revokeToken: run('revokeToken', tokens),
      printUsage: run('printUsage', () => import('./commands/usage.ts')),
      mergeUsage: run('mergeUsage', () => import('./commands/merge-usage.ts')),
      explore: run('explore', () => import('./commands/explore.ts')),
      explain: run('explain', () => import('./commands/explain.ts')),
      addGrant: run('addGrant', grants),
      replaceGrant: run('replaceGrant', grants),
      listGrants: run('listGrants', grants),
      checkGrants: run('checkGrants', grants),
      removeGrant: run('removeGrant', grants),
      setLimits: run('setLimits', limits),
      listLimits: run('listLimits', limits),
      printAudit: run('printAudit', () => import('./commands/audit.ts')),
      printConfig: run('printConfig', () => import('./commands/config.ts')),
      printCompletion: async (...given) =>
        output.data(
          (await import('./cli/completion/completion-script.ts')).completionScript(...given),
        ),
    },
  });
  try {
    await program.parseAsync([...readParameters(program, parameters)], { from: 'user' });
    return EXIT_CODES.done;
  } catch (error) {
    return reportError(error, output, colours);
  }
}
