import { type Colours, findColours } from './cli/colours.ts';
import { EXIT_CODES } from './cli/exit-codes.ts';
import { type Output, processOutput } from './cli/output.ts';
import { createProgram } from './cli/program.ts';
import { readParameters } from './cli/read-parameters.ts';
import { reportError } from './cli/report-error.ts';
import { readPackageVersion } from './commands/package-version.ts';

/**
 * The composition root. A command loads its parts when it runs, so that `--help` and a mistyped command
 * answer at once. Returns the exit code; a started service keeps running.
 */
export async function main(
  parameters: readonly string[],
  {
    output = processOutput(),
    colours = findColours(process, process.env),
  }: { readonly output?: Output; readonly colours?: Colours } = {},
): Promise<number> {
  const organisations = () => import('./commands/organisations.ts');
  const tokens = () => import('./commands/tokens.ts');
  const grants = () => import('./commands/grants.ts');
  const limits = () => import('./commands/limits.ts');
  const program = createProgram({
    version: readPackageVersion(),
    output,
    colours,
    actions: {
      demo: async (...given) => (await import('./commands/demo.ts')).demoAction(output, ...given),
      serve: async (...given) => (await import('./commands/serve.ts')).serveAction(...given),
      publish: async (...given) =>
        (await import('./commands/publish.ts')).publishAction(output, ...given),
      init: async (...given) => (await import('./commands/init.ts')).initAction(output, ...given),
      inspect: async (...given) =>
        (await import('./commands/inspect.ts')).inspectAction(output, ...given),
      check: async (...given) =>
        (await import('./commands/check.ts')).checkAction(output, ...given),
      listVersions: async (...given) =>
        (await import('./commands/list-versions.ts')).listVersionsAction(output, ...given),
      withdrawVersion: async (...given) =>
        (await import('./commands/withdraw-version.ts')).withdrawVersionAction(output, ...given),
      removeDataset: async (...given) =>
        (await import('./commands/remove-dataset.ts')).removeDatasetAction(output, ...given),
      rollBack: async (...given) =>
        (await import('./commands/rollback.ts')).rollBackAction(output, ...given),
      compareVersions: async (...given) =>
        (await import('./commands/diff.ts')).compareVersionsAction(output, ...given),
      verifyVersions: async (...given) =>
        (await import('./commands/verify.ts')).verifyVersionsAction(output, ...given),
      collectGarbage: async (...given) =>
        (await import('./commands/gc.ts')).collectGarbageAction(output, ...given),
      recoverCurrent: async (...given) =>
        (await import('./commands/recover.ts')).recoverCurrentAction(output, ...given),
      backUp: async (...given) =>
        (await import('./commands/backup.ts')).backUpAction(output, ...given),
      createOrganisation: async (...given) =>
        (await organisations()).createOrganisationAction(output, ...given),
      listOrganisations: async (...given) =>
        (await organisations()).listOrganisationsAction(output, ...given),
      suspendOrganisation: async (...given) =>
        (await organisations()).suspendOrganisationAction(output, ...given),
      resumeOrganisation: async (...given) =>
        (await organisations()).resumeOrganisationAction(output, ...given),
      createToken: async (...given) => (await tokens()).createTokenAction(output, ...given),
      listTokens: async (...given) => (await tokens()).listTokensAction(output, ...given),
      rotateToken: async (...given) => (await tokens()).rotateTokenAction(output, ...given),
      revokeToken: async (...given) => (await tokens()).revokeTokenAction(output, ...given),
      printUsage: async (...given) =>
        (await import('./commands/usage.ts')).printUsageAction(output, ...given),
      explore: async (...given) =>
        (await import('./commands/explore.ts')).exploreAction(output, ...given),
      explain: async (...given) =>
        (await import('./commands/explain.ts')).explainAction(output, ...given),
      addGrant: async (...given) => (await grants()).addGrantAction(output, ...given),
      listGrants: async (...given) => (await grants()).listGrantsAction(output, ...given),
      checkGrants: async (...given) => (await grants()).checkGrantsAction(output, ...given),
      removeGrant: async (...given) => (await grants()).removeGrantAction(output, ...given),
      setLimits: async (...given) => (await limits()).setLimitsAction(output, ...given),
      listLimits: async (...given) => (await limits()).listLimitsAction(output, ...given),
      printAudit: async (...given) =>
        (await import('./commands/audit.ts')).printAuditAction(output, ...given),
      printConfig: async (...given) =>
        (await import('./commands/config.ts')).printConfigAction(output, ...given),
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
