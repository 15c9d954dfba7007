import { isDeepStrictEqual } from 'node:util';
import { findGrant, type Grant, matchesPattern } from '@locmetrics/core/domain/grant';
import type { GrantLoss } from '@locmetrics/core/domain/grant-fit';
import type { GrantEntry } from '../../auth/grants.ts';
import { fitGrantTo, type Published } from './fit-grant.ts';

/**
 * Lists what current and future grants lose when the catalog switches from one state to another: a
 * dataset or metric that is gone, or a field, component or dimension that they name. Problems that existed
 * before the switch do not count. A grant that a more specific one overrules loses nothing.
 */
export function findGrantLosses(
  entries: readonly GrantEntry[],
  {
    before,
    after,
    now,
  }: { readonly before: Published; readonly after: Published; readonly now: number },
): readonly GrantLoss[] {
  const names = listChanged(before, after);
  if (names.length === 0) return [];
  const open = entries.filter(({ grant: { ends } }) => ends === undefined || ends > now);
  return open.flatMap(({ organisationId, grant }) => {
    const others = open
      .filter((other) => other.organisationId === organisationId)
      .map((other) => other.grant);
    return names
      .filter((name) => matchesPattern(grant.pattern, name) && !isOverruled(grant, others, name))
      .flatMap((name) => findLoss(grant, name, before, after) ?? [])
      .map(({ name, isSeen, problems }) => {
        const { grantId, pattern } = grant;
        return { organisationId, grantId, pattern, name, isSeen, problems };
      });
  });
}

function findLoss(grant: Grant, name: string, before: Published, after: Published) {
  const fitted = fitGrantTo(grant, name, before);
  if (fitted?.isSeen !== true) return undefined;
  const what = before.datasets.has(name) ? 'dataset' : 'metric';
  const fits = fitGrantTo(grant, name, after) ?? {
    name,
    isSeen: false,
    problems: [`The ${what} is gone.`],
  };
  const problems = fits.problems.filter((problem) => !fitted.problems.includes(problem));
  return problems.length === 0 ? undefined : { ...fits, problems };
}

/** Datasets and metrics that are gone or have another schema; the fit of all others is unchanged. */
function listChanged(before: Published, after: Published): readonly string[] {
  const datasets = [...before.datasets].filter(
    ([name, { dataset }]) => !isDeepStrictEqual(dataset, after.datasets.get(name)?.dataset),
  );
  const metrics = [...before.metrics].filter(
    ([name, version]) => !isDeepStrictEqual(schemaOf(version), schemaOf(after.metrics.get(name))),
  );
  return [...datasets, ...metrics].map(([name]) => name);
}

function schemaOf(version: ReturnType<Published['metrics']['get']>) {
  if (version === undefined) return undefined;
  const { metric, values, layer, relatedLayer } = version;
  const layers = [layer, relatedLayer].map((one) => [one?.layer, one?.features.dataset]);
  return [metric, values.dataset, layers];
}

/** Whether a more specific grant overrules this one for the name, for all of its time. */
function isOverruled(grant: Grant, others: readonly Grant[], name: string): boolean {
  return others.some(
    (other) =>
      findGrant([grant, other], name) !== grant &&
      (other.starts ?? 0) <= (grant.starts ?? 0) &&
      (other.ends ?? Number.POSITIVE_INFINITY) >= (grant.ends ?? Number.POSITIVE_INFINITY),
  );
}
