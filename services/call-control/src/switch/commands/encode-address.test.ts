import { describe, expect, it } from '@jest/globals';
import { encodeAddress } from './leg-commands.ts';

describe('an address in a SIP header', () => {
  it('an address in a SIP header is percent-encoded, and can be read again', () => {
    const address = 'Bager "Bo" & Søn, Strøget 1\r\nX: y, ${system(reboot)}';
    expect(encodeAddress(address)).toMatch(/^[A-Za-z0-9._%-]+$/);
    expect(decodeURIComponent(encodeAddress(address))).toBe('Bager "Bo" & Søn, Strøget 1 X: y, ${system(reboot)}');
  });

  it('an address in a SIP header is bounded, between characters', () => {
    const encoded = encodeAddress('å'.repeat(300));
    expect(encoded.length).toBeLessThanOrEqual(400);
    expect(decodeURIComponent(encoded)).toBe('å'.repeat(66));
  });
});
