import { join } from 'node:path';
import type { GrantTerms } from '@locmetrics/core/domain/grant';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { closePart } from '@locmetrics/core/runtime/close-part';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { openVersionLease } from '@locmetrics/data-directory/versions/version-lease';
import { escapeControls } from '@locmetrics/ingest/problems/import-error';
import {
  type CheckedGrantValue,
  namesValues,
} from '@locmetrics/server/service/rights/grant-values';
import { confirm } from '../../cli/ask-on-terminal.ts';
import type { Output } from '../../cli/output.ts';
import { composeService } from '../../compose/compose-service.ts';
import { openColumns } from '../../compose/open-columns.ts';
import type { OpenedDirectory } from '../../compose/open-data.ts';
import { LEASE_MARGIN_MS, whileReported } from '../../compose/with-versions.ts';
import { untilInterrupted } from '../run/until-interrupted.ts';

/**
 * Counts the records of each value that a grant names, and asks whether values that match nothing are meant. Throws if
 * they are not confirmed.
 */
export async function confirmGrantValues(
  opened: OpenedDirectory,
  terms: GrantTerms,
  confirming: Confirming,
): Promise<readonly CheckedGrantValue[]> {
  if (!namesValues(terms)) return [];
  const values = await readGrantValues(opened, terms).catch(async (error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    await confirmOrThrow(`The values could not be checked: ${error.message}`, 'them', confirming);
    return [];
  });
  const wrong = values.filter(({ rowCount }) => rowCount === 0);
  if (wrong.length === 0) return values;
  const [what, them] =
    wrong.length === 1 ? ['One value matches', 'it'] : [`${wrong.length} values match`, 'them'];
  const lines = wrong.map(unmatchedLine).join('\n');
  await confirmOrThrow(`${what} nothing that is published:\n${lines}`, them, confirming);
  return values;
}

type Confirming = { readonly isConfirmed: boolean; readonly output: Output };

async function confirmOrThrow(
  problem: string,
  them: string,
  { isConfirmed, output }: Confirming,
): Promise<void> {
  output.messages(`${problem}\n`);
  if (isConfirmed) return;
  const hint = `Correct ${them}, or confirm ${them} with --yes.`;
  if (await confirm(`Grant ${them} anyway?`, { output, hint })) return;
  throw new ControlError('Nothing was changed.', hint);
}

async function readGrantValues(
  opened: OpenedDirectory,
  terms: GrantTerms,
): Promise<readonly CheckedGrantValue[]> {
  const { directory, config } = opened;
  const { queryTimeoutMs } = config;
  return whileReported(opened, async () => {
    await using parts = new AsyncDisposableStack();
    const lease = parts.adopt(
      openVersionLease({ directory, holdMs: queryTimeoutMs + LEASE_MARGIN_MS }),
      closePart,
    );
    const { service } = parts.use(
      await composeService({
        directory,
        catalog: openCatalog(directory, { lease, isInDatabase: config.clickhouse !== undefined }),
        // To compare checksums would take as long as verify does; what cannot be used is read from the columns.
        onLeftOut: () => {},
        openColumns: (directoryOf) =>
          openColumns(config, {
            directoryOf,
            temporaryDirectory: join(directory.temporary, lease.name),
            listServed: () => [],
          }),
        queryTimeoutMs,
        pageTokenKey: () => new Uint8Array(),
      }),
    );
    return await untilInterrupted((signal) => service.grantValues.check(terms, signal));
  });
}

/** The values that a grant names, one on each line. */
export function grantValuesText(values: readonly CheckedGrantValue[]): string {
  const width = Math.max(0, ...values.map(({ value }) => shown(value).length));
  return values
    .map((one, index) => {
      const before = values[index - 1];
      const isFirst = before === undefined || headOf(before) !== headOf(one);
      const line = `    ${shown(one.value).padEnd(width)}  ${countText(one.rowCount)}\n`;
      return isFirst ? `  ${headOf(one)}\n${line}` : line;
    })
    .join('');
}

function unmatchedLine(one: CheckedGrantValue): string {
  const hint = one.nearest === undefined ? '' : ` Did you mean '${shown(one.nearest)}'?`;
  return `  ${headOf(one)}: '${shown(one.value)}'.${hint}`;
}

/** The list of a value, in the words of the command line. */
function headOf({ member, name, operator }: CheckedGrantValue): string {
  switch (member) {
    case 'filters':
      return `${name} ${operator}`;
    case 'fields':
    case 'featureFilter':
      return 'feature';
    case 'addressComponentFilter':
      return `component ${name}`;
    case 'dimensionFilter':
      return `dimension ${name}`;
    case 'relatedFeatureFilter':
      return 'related feature';
    case 'relatedAddressComponentFilter':
      return `related component ${name}`;
  }
}

function countText(rowCount: number | undefined): string {
  if (rowCount === undefined) return 'found';
  return `${rowCount.toLocaleString('en-US')} ${rowCount === 1 ? 'record' : 'records'}`;
}

function shown(text: string): string {
  return escapeControls(text);
}
