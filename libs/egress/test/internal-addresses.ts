/** IPv4 addresses that must never be connected to: one or more of every special-purpose block. */
export const internalIpv4 = [
  ['this network', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '10.255.255.255'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.254'],
  ['private', '192.168.0.1'],
  ['private', '192.168.255.255'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT', '100.127.255.254'],
  ['metadata (Alibaba)', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.0.0.53'],
  ['loopback', '127.255.255.254'],
  ['link-local', '169.254.0.1'],
  ['metadata (AWS, Google, Azure)', '169.254.169.254'],
  ['metadata (AWS ECS)', '169.254.170.2'],
  ['protocol assignments', '192.0.0.1'],
  ['metadata (Oracle)', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.7'],
  ['documentation', '203.0.113.9'],
  ['6to4 relay', '192.88.99.1'],
  ['AS112', '192.31.196.1'],
  ['AS112', '192.175.48.1'],
  ['multicast tunnelling', '192.52.193.1'],
  ['benchmarking', '198.18.0.1'],
  ['benchmarking', '198.19.255.254'],
  ['platform (Azure)', '168.63.129.16'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.250'],
  ['reserved', '240.0.0.1'],
  ['reserved', '255.255.255.254'],
  ['broadcast', '255.255.255.255'],
] as const;

/** IPv6 addresses that must never be connected to and that hold no IPv4 address. */
export const internalIpv6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:1::1',
  '2001:2::1',
  '2001:3::1',
  '2001:4:112::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2001:db8:ffff:ffff::1',
  '2620:4f:8000::1',
  '3fff::1',
  '3fff:fff::1',
  '4000::1',
  '5f00::1',
  '64:ff9b:2::1',
  '8000::1',
  'e000::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'fe00::1',
  'fe80::1',
  'fe80::a9fe:a9fe',
  'febf::1',
  'fec0::1',
  'feff::1',
  'ff01::1',
  'ff02::1',
  'ff05::2',
  'ff0e::1',
] as const;

/** Ways to write an IPv4 address inside an IPv6 one. */
export const ipv4InIpv6: Record<string, (ipv4: string) => string> = {
  mapped: (ipv4) => `::ffff:${ipv4}`,
  'mapped, in hexadecimal': (ipv4) => `::ffff:${groups(ipv4)}`,
  'mapped, in full': (ipv4) => `0:0:0:0:0:ffff:${groups(ipv4)}`,
  compatible: (ipv4) => `::${ipv4}`,
  'translated (RFC 2765)': (ipv4) => `::ffff:0:${groups(ipv4)}`,
  NAT64: (ipv4) => `64:ff9b::${ipv4}`,
  'NAT64, local use': (ipv4) => `64:ff9b:1::${groups(ipv4)}`,
  '6to4': (ipv4) => `2002:${groups(ipv4)}::1`,
  Teredo: (ipv4) => `2001:0:${groups(ipv4)}::`,
  'Teredo client': (ipv4) => `2001::${groups(inverted(ipv4))}`,
};

/** Ways to write an IPv4 address as a URL's host. */
export const ipv4Spellings: Record<string, (ipv4: string) => string> = {
  dotted: (ipv4) => ipv4,
  'with a trailing dot': (ipv4) => `${ipv4}.`,
  'one decimal number': (ipv4) => `${number(ipv4)}`,
  'one hexadecimal number': (ipv4) => `0x${number(ipv4).toString(16)}`,
  'one octal number': (ipv4) => `0${number(ipv4).toString(8)}`,
  'hexadecimal parts': (ipv4) =>
    parts(ipv4)
      .map((part) => `0x${part.toString(16)}`)
      .join('.'),
  'octal parts': (ipv4) =>
    parts(ipv4)
      .map((part) => `0${part.toString(8)}`)
      .join('.'),
  'two parts': (ipv4) => `${parts(ipv4)[0]}.${number(ipv4) % 2 ** 24}`,
  'three parts': (ipv4) => `${parts(ipv4).slice(0, 2).join('.')}.${number(ipv4) % 2 ** 16}`,
  'full-width digits': (ipv4) => ipv4.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  'ideographic dots': (ipv4) => ipv4.replaceAll('.', '\u3002'),
  'percent-encoded': (ipv4) => ipv4.replace(/\d/g, (digit) => `%3${digit}`),
};

function parts(ipv4: string): number[] {
  return ipv4.split('.').map(Number);
}

function number(ipv4: string): number {
  return parts(ipv4).reduce((sum, part) => sum * 256 + part, 0);
}

function inverted(ipv4: string): string {
  return parts(ipv4)
    .map((part) => 255 - part)
    .join('.');
}

function groups(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = parts(ipv4);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
