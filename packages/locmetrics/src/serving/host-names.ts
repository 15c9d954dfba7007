import type { HostNames } from '@locmetrics/server/edge/http/request/check-host';
import type { Config } from '../config/settings.ts';

/** The names by which the listeners of HTTP are called. */
export function hostNamesOf({ hosts, http, https, metrics, nodeUrl }: Config): HostNames {
  const listening = [http, https, metrics].flatMap((address) => address?.host ?? []);
  const ofNodes = nodeUrl === undefined ? [] : [new URL(nodeUrl).hostname];
  return { called: hosts.length === 0 ? hosts : [...hosts, ...ofNodes], listening };
}
