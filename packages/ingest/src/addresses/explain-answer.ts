import { AddressProblem } from './address-problem.ts';
import type { Answer } from './open-answer.ts';

/** The problem of an answer without the file. */
export function explainStatus(
  { status, statusText }: Pick<Answer, 'status' | 'statusText'>,
  { isS3, isSigned }: { readonly isS3: boolean; readonly isSigned: boolean },
): AddressProblem {
  const answer = `${status}${statusText === '' ? '' : ` ${statusText}`}`;
  if (status === 401 || status === 403) {
    return new AddressProblem({
      reason: `cannot be fetched: access was denied (the server answered ${answer})`,
      hint: isS3
        ? s3Hint(isSigned)
        : 'Check that the URL works without signing in and has not expired.',
    });
  }
  if (status === 404 || status === 410) {
    return new AddressProblem({
      reason: `was not found (the server answered ${answer})`,
      hint: 'Correct the URL in the manifest.',
    });
  }
  return new AddressProblem({
    reason: `cannot be fetched (the server answered ${answer})`,
    hint: 'Publish again later, or download the file and name the copy in the manifest.',
    isTransient: status === 429 || status >= 500,
  });
}

function s3Hint(isSigned: boolean): string {
  return isSigned
    ? 'Check AWS_REGION, and that the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY allow reading it.'
    : 'The request was not signed: set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, unless the bucket is public.';
}

/** The problem of a request without an answer, or of an answer that broke off. Any other error is returned unchanged. */
export function explainNetworkError(error: unknown, { host }: URL): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const explained = (reason: string, hint: string, isTransient = false) =>
    new AddressProblem({ reason: `${reason} (${code})`, hint, isTransient, cause: error });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return explained(
      `cannot be fetched: the host ${host} was not found`,
      NETWORK_HINT,
      code === 'EAI_AGAIN',
    );
  }
  if (CERTIFICATE_CODES.test(code)) {
    return explained(
      `cannot be fetched: the certificate of ${host} is not trusted`,
      'If your own certificate authority signed it, set NODE_EXTRA_CA_CERTS to the file with its certificate.',
    );
  }
  if (code === 'ECONNREFUSED') {
    return explained(`cannot be fetched: ${host} refused the connection`, NETWORK_HINT, true);
  }
  return explained(`cannot be fetched: the connection to ${host} failed`, NETWORK_HINT, true);
}

const NETWORK_HINT =
  'Check the URL and the network of this machine. Behind a proxy, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1.';

const CERTIFICATE_CODES = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/;

/** The code of an error of the network. One that was aborted has a code too, but the caller knows that. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof AddressProblem) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
