import { createHash } from 'node:crypto';

/** The name of a version: when it was published (UTC) and 12 hexadecimal digits of its content. */
export function versionName(publishedTime: string, contentDigest: string): string {
  return `${publishedTime.replaceAll(/[-:.]/g, '')}-${contentDigest.slice(0, 12)}`;
}

/** Whether a text can be the name of a version; anything else names none, and no path either. */
export function isVersionName(text: string): boolean {
  return /^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{12}$/.test(text);
}

/** When the version of a name was published: RFC 3339, UTC. */
export function publishedTimeOf(name: string): string {
  return name.replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-.*$/,
    '$1-$2-$3T$4:$5:$6.$7Z',
  );
}

/**
 * The name of what several versions make together: when the last of them was published, and a digest
 * of their names. One version by itself keeps its name.
 */
export function combineVersions(names: readonly string[]): string {
  const distinct = [...new Set(names)].sort();
  const last = distinct.at(-1) ?? '';
  if (distinct.length <= 1) return last;
  const digest = createHash('sha256').update(JSON.stringify(distinct)).digest('hex');
  return `${last.slice(0, last.indexOf('-'))}-${digest.slice(0, 12)}`;
}
