import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** An address to listen on. */
export type Address = { readonly host: string; readonly port: number };

/**
 * Parses `host:port`, with brackets around an IPv6 address: `[::1]:8080`. For any other text it returns
 * the problem, which completes the sentence "'text' …".
 */
export function parseAddress(text: string): Address | string {
  if (/^:?[0-9]+$/.test(text)) return 'has no host, such as 127.0.0.1';
  if (isIPv6(text)) return 'is an IPv6 address without brackets and port';
  const [, host = '', portText] = /^(\[[^\]]*\]|[^:]*)(?::([0-9]+))?$/.exec(text) ?? [];
  const name = host.replace(/^\[(.*)\]$/, '$1');
  if (!isHost(name, host.startsWith('['))) return 'has no valid host';
  if (portText === undefined) return 'has no port';
  const port = Number(portText);
  return port > 65_535 ? 'has a port above 65535' : { host: name, port };
}

export function addressText({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether the two addresses cannot be bound at the same time. */
export function doClash(left: Address, right: Address): boolean {
  if (left.port !== right.port || left.port === 0) return false;
  return takesPortOf(left.host, right.host) || takesPortOf(right.host, left.host);
}

/** A name other than localhost can resolve to any address, so only the same name surely clashes. */
function takesPortOf(host: string, other: string): boolean {
  if (host === '0.0.0.0') return !isIPv6(other);
  if (isSameAddress(host, '::')) return true;
  if (isIP(host) !== 0) return isSameAddress(host, other);
  const name = host.toLowerCase();
  if (name !== 'localhost') return name === other.toLowerCase();
  return [name, '127.0.0.1', '::1'].some((one) => isSameAddress(other, one));
}

/** An IPv6 address can be written in many ways. */
function isSameAddress(host: string, other: string): boolean {
  if (isIP(host) === 0 || isIP(other) === 0) return host.toLowerCase() === other.toLowerCase();
  const addresses = new BlockList();
  addresses.addAddress(host, familyOf(host));
  return addresses.check(other, familyOf(other));
}

function familyOf(host: string): 'ipv4' | 'ipv6' {
  return isIPv4(host) ? 'ipv4' : 'ipv6';
}

/** A name whose last part is a number would be an IPv4 address, as in a URL. */
function isHost(name: string, isInBrackets: boolean): boolean {
  if (isInBrackets) return isIPv6(name) && !name.includes('%');
  return isIPv4(name) || (/^[A-Za-z0-9.-]+$/.test(name) && !/(^|\.)[0-9]+\.?$/.test(name));
}
