import { BlockList, isIP } from 'node:net';

/** IP addresses and networks (`10.0.0.0/8`). */
export class AddressList {
  readonly #list = new BlockList();

  /** Throws for anything else. */
  constructor(addresses: readonly string[]) {
    for (const text of addresses) {
      const [address = '', prefix] = text.split('/');
      const family = familyOf(address);
      if (!family) throw new Error(`${text} is no IP address or network`);
      if (prefix === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(prefix), family);
    }
  }

  has(address: string): boolean {
    const plain = plainAddress(address);
    const family = familyOf(plain);
    return family !== undefined && this.#list.check(plain, family);
  }
}

/** A socket for both families shows IPv4 addresses as `::ffff:10.0.0.5`. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}
