import {
  isS3,
  isUnencrypted,
  parseS3Address,
  type S3Object,
  shownAddress,
} from '../manifest/source-address.ts';
import { AddressProblem } from './address-problem.ts';

/** The environment variables that the requests to S3 depend on. */
export type AddressEnvironment = Readonly<Record<string, string | undefined>>;

export type AddressRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly isSigned: boolean;
  /** The region that a request to S3 is for, if it may be for another one. */
  readonly region: string | undefined;
};

/** The request for the file at an address. One to S3 is signed if the environment has credentials. */
export async function toRequest(
  address: string,
  environment: AddressEnvironment,
  knownRegion?: string,
): Promise<AddressRequest> {
  const object = isS3(address) ? parseS3Address(address) : undefined;
  if (object === undefined) return plainRequest(address);
  const region =
    knownRegion ?? environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'] ?? 'us-east-1';
  const endpoint = environment['AWS_ENDPOINT_URL_S3'] ?? environment['AWS_ENDPOINT_URL'];
  const url = s3Url(object, region, endpoint);
  const target = { url, region: endpoint === undefined ? region : undefined };
  const accessKeyId = environment['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = environment['AWS_SECRET_ACCESS_KEY'];
  if (!accessKeyId || !secretAccessKey) {
    return { ...target, headers: PLAIN_HEADERS, isSigned: false };
  }
  const { AwsV4Signer } = await import('aws4fetch');
  const sessionToken = environment['AWS_SESSION_TOKEN'];
  const signed = await new AwsV4Signer({
    url: url.href,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken ? { sessionToken } : {}),
    service: 's3',
    region,
  }).sign();
  return {
    ...target,
    headers: { ...Object.fromEntries(signed.headers), ...PLAIN_HEADERS },
    isSigned: true,
  };
}

/** The bytes of the file are wanted as they are stored, so that their number is known. */
const PLAIN_HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'locmetrics' };

/** A request has no user and password in its address; they become a header. */
function plainRequest(address: string): AddressRequest {
  const url = new URL(address);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const pair = `${decoded(username)}:${decoded(password)}`;
  const authorization: Record<string, string> =
    username === '' ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  return {
    url,
    headers: { ...PLAIN_HEADERS, ...authorization },
    isSigned: false,
    region: undefined,
  };
}

/** A part of an address; a `%` that encodes nothing means itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The signature is over a path in which only letters, digits and `-._~` are not encoded. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function s3Url({ bucket, key }: S3Object, region: string, endpoint: string | undefined): URL {
  const path = key.split('/').map(encodeSegment).join('/');
  if (endpoint === undefined) {
    const host = `s3.${region}.amazonaws.com`;
    // The certificate is for one name below the host, so a bucket with dots is a part of the path.
    return new URL(
      bucket.includes('.')
        ? `https://${host}/${bucket}/${path}`
        : `https://${bucket}.${host}/${path}`,
    );
  }
  const url = URL.parse(`${endpoint.replace(/\/+$/, '')}/${bucket}/${path}`);
  if (url === null || !url.protocol.startsWith('http') || isUnencrypted(url)) {
    throw new AddressProblem({
      reason: `cannot be fetched: AWS_ENDPOINT_URL is ${shownAddress(endpoint)}`,
      hint: 'Use an https:// URL. Plain http:// works only for this machine.',
    });
  }
  return url;
}
