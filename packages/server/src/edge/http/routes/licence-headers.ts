import type { Licence } from '@locmetrics/core/domain/licence';

/** Links to the licences of the data in an answer, and to their terms (RFC 8288); none if none has a URL. */
export function licenceHeaders(licences: readonly Licence[]): { readonly link?: string } {
  const links = licences.flatMap(({ url, termsUrl }) => [
    ...(url === undefined ? [] : [`<${url}>; rel="license"`]),
    ...(termsUrl === undefined ? [] : [`<${termsUrl}>; rel="terms-of-service"`]),
  ]);
  return links.length === 0 ? {} : { link: [...new Set(links)].join(', ') };
}
