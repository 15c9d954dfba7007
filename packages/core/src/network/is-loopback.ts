import { BlockList, isIP, isIPv4 } from 'node:net';

/** Whether only this machine can reach, or have, the address. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, isIPv4(host) ? 'ipv4' : 'ipv6');
}

/** It also finds `::ffff:127.0.0.1`, which is how a socket of IPv6 shows an address of IPv4. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
