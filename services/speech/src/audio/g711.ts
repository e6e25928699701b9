/** G.711 mu-law to a number from -1 to 1. */
export function ulawToLinear(byte: number): number {
  const inverted = ~byte & 0xff;
  const magnitude = (((inverted & 0x0f) << 3) + 0x84) << ((inverted & 0x70) >> 4);
  return (inverted & 0x80 ? 0x84 - magnitude : magnitude - 0x84) / 32_768;
}

/** G.711 A-law to a number from -1 to 1. */
export function alawToLinear(byte: number): number {
  const toggled = byte ^ 0x55;
  const exponent = (toggled & 0x70) >> 4;
  const mantissa = ((toggled & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return (toggled & 0x80 ? magnitude : -magnitude) / 32_768;
}
