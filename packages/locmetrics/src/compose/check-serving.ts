import { CertificateError } from '@locmetrics/server/edge/listening/tls/certificate-error';
import { readCertificate } from '@locmetrics/server/edge/listening/tls/read-certificate';
import { type Conflict, findConflicts } from '../config/check-config.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Config } from '../config/settings.ts';

/** Refuses settings that cannot be served, before anything is opened or created. */
export function checkServing(config: Config): void {
  const problems = findServingProblems(config);
  if (problems.length > 0) throw servingRefusal(problems);
}

/** All known reasons why `locmetrics serve` cannot start, with what to do. */
export function findServingProblems(config: Config): readonly Conflict[] {
  return [...findConflicts(config), ...unusableCertificate(config)];
}

/** All problems in one error; equal hints appear once. */
export function servingRefusal(problems: readonly Conflict[], introduction = ''): ConfigError {
  const messages = problems.map(({ message }) => message);
  const hints = new Set(problems.map(({ hint }) => hint));
  return new ConfigError(`${introduction}${messages.join('\n')}`, [...hints].join('\n'));
}

function unusableCertificate({ tlsCertificate, tlsKey }: Config): readonly Conflict[] {
  if (tlsCertificate === undefined || tlsKey === undefined) return [];
  try {
    readCertificate({ certificateFile: tlsCertificate, keyFile: tlsKey });
    return [];
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    return [{ message: error.message, hint: error.hint }];
  }
}
