import { expect, it } from '@jest/globals';
import { SegmentedMessage } from 'sms-segments-calculator';
import { smsParts } from './telnyx-payloads.ts';

const LENGTHS = [0, 1, 66, 67, 68, 69, 70, 71, 134, 135, 152, 153, 154, 159, 160, 161, 306, 307, 500];

it.each(['a', '€', 'a€', 'é', '今', '🙂', 'x🙂', '\r\n', 'ж\r\n', 'e\u0301', '`', 'Ω\f'])(
  'texts of %j have the parts and the encoding that a library calculates',
  (characters) => {
    for (const length of LENGTHS) {
      const text = characters.repeat(length);
      const { segmentsCount, encodingName } = new SegmentedMessage(text);
      expect([length, smsParts(text)]).toEqual([length, { parts: Math.max(segmentsCount, 1), encoding: encodingName }]);
    }
  },
);
