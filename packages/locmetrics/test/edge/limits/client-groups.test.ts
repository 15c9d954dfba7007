import { clientGroups } from '@locmetrics/server/edge/listening/client-groups';
import { expect, test } from 'vitest';

const clientOf = clientGroups(['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.7']);

test.each([
  ['an IPv4 address', '192.0.2.1', '192.0.2.1'],
  ['an IPv4 address in IPv6', '::ffff:192.0.2.1', '192.0.2.1'],
  ['loopback', '127.0.0.1', '127.0.0.1'],
  ['loopback in IPv6', '::1', '0:0:0:0::/64'],
  ['an IPv6 address', '2001:db8:2:3:4:5:6:7', '2001:db8:2:3::/64'],
  ['another address of its network', '2001:db8:2:3::9', '2001:db8:2:3::/64'],
  ['zeros in the network', '2001:db8::9', '2001:db8:0:0::/64'],
  ['a link-local address with its zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['a proxy', '192.0.2.7', undefined],
  ['a proxy of a network', '10.1.2.3', undefined],
  ['a proxy in IPv6', '::ffff:10.1.2.3', undefined],
  ['a proxy of an IPv6 network', '2001:db8:1:2::3', undefined],
])('%s is a client by its address or network', (_, address, client) => {
  expect(clientOf(address)).toBe(client);
});
