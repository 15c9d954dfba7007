/** Whether a file is named by its address, such as https://… or s3://…, and not by a path or a drive such as C:\\. */
export function isAddress(file: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(file);
}

/** An address for messages and records: without user and password, and without the values of a query. */
export function shownAddress(address: string): string {
  const withoutUser = address.replace(/^([a-z][a-z0-9+.-]+:\/\/)[^/?#]*@/i, '$1');
  return isS3(address)
    ? withoutUser
    : withoutUser.replace(/[?#].*$/s, (rest) => (rest.startsWith('?') ? '?…' : ''));
}

/** The part of an address that names the file. */
export function addressPath(address: string): string {
  return isS3(address) ? address : address.replace(/[?#].*$/s, '');
}

export type S3Object = { readonly bucket: string; readonly key: string };

/** The bucket and the key of an S3 address; undefined if it lacks one. */
export function parseS3Address(address: string): S3Object | undefined {
  const [, bucket, key] = /^s3:\/\/([a-z0-9][a-z0-9._-]+)\/(.+)$/is.exec(address) ?? [];
  return bucket === undefined || key === undefined ? undefined : { bucket, key };
}

export function isS3(address: string): boolean {
  return /^s3:/i.test(address);
}

/** Why an address cannot be read, before anything is asked for; undefined if it may be readable. */
export function findAddressProblem(
  address: string,
): { readonly reason: string; readonly hint: string } | undefined {
  const shown = `'${shownAddress(address)}'`;
  const [scheme = ''] = address.toLowerCase().split(':', 1);
  if (!['https', 'http', 's3'].includes(scheme)) {
    return {
      reason: `${shown} uses ${scheme}, but only https:// and s3:// are supported.`,
      hint: 'Download the file, and name the copy in the manifest.',
    };
  }
  if (addressPath(address).includes('*')) {
    return {
      reason: `${shown} has a *, but files at URLs cannot be listed.`,
      hint: 'Write a list of the URLs.',
    };
  }
  if (scheme === 's3') {
    if (parseS3Address(address) !== undefined) return undefined;
    return { reason: `${shown} is not an S3 URL.`, hint: 'Write s3://BUCKET/KEY.' };
  }
  const url = URL.parse(address);
  if (url === null) {
    return {
      reason: `${shown} is not a URL.`,
      hint: 'Write one such as https://example.org/stores.csv.',
    };
  }
  return isUnencrypted(url)
    ? {
        reason: `${shown} is not encrypted, so anyone on the network path could change the data.`,
        hint: 'Use https://. Plain http:// works only for this machine.',
      }
    : undefined;
}

/** Whether data would pass a network in plain. */
export function isUnencrypted({ protocol, hostname }: URL): boolean {
  return protocol !== 'https:' && !/^(localhost|127(\.[0-9]+){3}|\[::1\])$/.test(hostname);
}
