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
  const organisations = async () =>
    (await import('./commands/organisations.ts')).organisationActions(output);
  const tokens = async () => (await import('./commands/tokens.ts')).tokenActions(output);
  const grants = async () => (await import('./commands/grants.ts')).grantActions(output);
  const limits = async () => (await import('./commands/limits.ts')).limitActions(output);
  const program = createProgram({
    version: readPackageVersion(),
    output,
    colours,
    actions: {
      demo: async (...given) =>
        (await import('./commands/demo.ts')).demoAction(output).demo(...given),
      serve: async (...given) =>
        (await import('./commands/serve.ts')).serveAction().serve(...given),
      publish: async (...given) =>
        (await import('./commands/publish.ts')).publishAction(output).publish(...given),
      listVersions: async (...given) =>
        (await import('./commands/list-versions.ts'))
          .listVersionsAction(output)
          .listVersions(...given),
      withdrawVersion: async (...given) =>
        (await import('./commands/withdraw-version.ts'))
          .withdrawVersionAction(output)
          .withdrawVersion(...given),
      removeDataset: async (...given) =>
        (await import('./commands/remove-dataset.ts'))
          .removeDatasetAction(output)
          .removeDataset(...given),
      rollBack: async (...given) =>
        (await import('./commands/rollback.ts')).rollbackActions(output).rollBack(...given),
      compareVersions: async (...given) =>
        (await import('./commands/diff.ts')).diffActions(output).compareVersions(...given),
      verifyVersions: async (...given) =>
        (await import('./commands/verify.ts')).verifyActions(output).verifyVersions(...given),
      collectGarbage: async (...given) =>
        (await import('./commands/gc.ts')).gcActions(output).collectGarbage(...given),
      recoverCurrent: async (...given) =>
        (await import('./commands/recover.ts')).recoverAction(output).recoverCurrent(...given),
      backUp: async (...given) =>
        (await import('./commands/backup.ts')).backupAction(output).backUp(...given),
      createOrganisation: async (...given) => (await organisations()).createOrganisation(...given),
      listOrganisations: async (...given) => (await organisations()).listOrganisations(...given),
      createToken: async (...given) => (await tokens()).createToken(...given),
      listTokens: async (...given) => (await tokens()).listTokens(...given),
      revokeToken: async (...given) => (await tokens()).revokeToken(...given),
      printUsage: async (...given) =>
        (await import('./commands/usage.ts')).usageAction(output).printUsage(...given),
      rotateToken: async (...given) => (await tokens()).rotateToken(...given),
      addGrant: async (...given) => (await grants()).addGrant(...given),
      listGrants: async (...given) => (await grants()).listGrants(...given),
      checkGrants: async (...given) => (await grants()).checkGrants(...given),
      removeGrant: async (...given) => (await grants()).removeGrant(...given),
      setLimits: async (...given) => (await limits()).setLimits(...given),
      listLimits: async (...given) => (await limits()).listLimits(...given),
      printAudit: async (...given) =>
        (await import('./commands/audit.ts')).auditAction(output).printAudit(...given),
      printConfig: async (...given) =>
        (await import('./commands/config.ts')).configAction(output).printConfig(...given),
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
