/** The name of a version: when it was published (UTC) and 12 hexadecimal digits of its content. */
export function versionName(publishedTime: string, contentDigest: string): string {
  return `${publishedTime.replaceAll(/[-:.]/g, '')}-${contentDigest.slice(0, 12)}`;
}

/** Whether a text can be the name of a version; anything else names none, and no path either. */
export function isVersionName(text: string): boolean {
  return /^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{12}$/.test(text);
}
