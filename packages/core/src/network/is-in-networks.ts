import { BlockList, isIP } from 'node:net';

/** Whether an address is one of these addresses and networks (`10.0.0.0/8`). An IPv4 address may be written as IPv6. */
export function isInNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [host = '', bits] = network.split('/');
    const family = familyOf(host);
    if (family === undefined) throw new Error(`${network} is not a network.`);
    list.addSubnet(host, Number(bits ?? BITS[family]), family);
  }
  return (address) => {
    const family = familyOf(address);
    return family !== undefined && list.check(address, family);
  };
}

const BITS = { ipv4: 32, ipv6: 128 } as const;

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}
