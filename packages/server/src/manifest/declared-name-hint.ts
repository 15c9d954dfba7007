import { nameHint, nearestName } from '../domain/nearest-name.ts';

/**
 * The hint for a name that a section of the manifest does not have. What is published from another manifest does not
 * count: a layer and a metric are declared beside their dataset.
 */
export function declaredNameHint(
  name: string,
  section: 'datasets' | 'layers',
  known: readonly string[],
): string {
  const isNear = nearestName(name, known) !== undefined;
  const others = known.length === 0 ? [] : [nameHint(name, known)];
  return [...others, ...(isNear ? [] : [`Declare it in this manifest, under ${section}.`])].join(
    ' ',
  );
}
