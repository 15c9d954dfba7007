import { BlockList, isIPv4 } from 'node:net';

/** Names the client of a connection by its address; undefined for a trusted proxy, which has many clients. */
export type ClientOf = (address: string | undefined) => string | undefined;

/**
 * An IPv4 address is a client, and so is a /64 network of IPv6, because a provider gives each customer at least that
 * (RFC 6177), and its owner can connect from any address in it.
 */
export function clientGroups(trustedProxies: readonly string[]): ClientOf {
  const proxies = new BlockList();
  for (const proxy of trustedProxies) {
    const [host = '', bits] = proxy.split('/');
    const family = isIPv4(host) ? 'ipv4' : 'ipv6';
    if (bits === undefined) proxies.addAddress(host, family);
    else proxies.addSubnet(host, Number(bits), family);
  }
  const hasProxies = trustedProxies.length > 0;
  return (address = '') => {
    const network = networkOf(address);
    const isV4 = isIPv4(network);
    if (hasProxies && proxies.check(isV4 ? network : address, isV4 ? 'ipv4' : 'ipv6')) {
      return undefined;
    }
    return network;
  };
}

/** Listeners for both families see IPv4 addresses in IPv6 (RFC 4291 § 2.5.5.2). */
const MAPPED = '::ffff:';

function networkOf(address: string): string {
  const unmapped = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
  if (isIPv4(unmapped)) return unmapped;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
