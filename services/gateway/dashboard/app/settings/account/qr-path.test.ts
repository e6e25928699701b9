import { expect, it } from '@jest/globals';
import { qrPath } from './qr-path.ts';

it('the picture of a QR code draws the dark modules only', () => {
  expect(
    qrPath([
      [true, false],
      [false, true],
    ]),
  ).toBe('M0 0h1v1h-1zM1 1h1v1h-1z');
});
