import { createHash } from 'node:crypto';

/** The name of a version: when it was published (UTC) and 12 hexadecimal digits of its content. */
export function versionName(publishedTime: string, contentDigest: string): string {
  return `${publishedTime.replaceAll(/[-:.]/g, '')}-${contentDigest.slice(0, 12)}`;
}

/** Whether a text can be the name of a version. A valid name is also safe as part of a path. */
export function isVersionName(text: string): boolean {
  return /^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{12}$/.test(text);
}

/** The publish time of a version, from its name: RFC 3339, UTC. */
export function publishedTimeOf(name: string): string {
  return name.replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-.*$/,
    '$1-$2-$3T$4:$5:$6.$7Z',
  );
}

/**
 * The name of a combination of versions: the publish time of the latest one, and a digest of their names.
 * A single version keeps its name.
 */
export function combineVersions(names: readonly string[]): string {
  const distinct = [...new Set(names)].sort();
  const last = distinct.at(-1) ?? '';
  if (distinct.length <= 1) return last;
  const digest = createHash('sha256').update(JSON.stringify(distinct)).digest('hex');
  return `${last.slice(0, last.indexOf('-'))}-${digest.slice(0, 12)}`;
}
