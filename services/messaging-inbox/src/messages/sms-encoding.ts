import { SegmentedMessage } from 'sms-segments-calculator';

export type SmsEncoding = 'gsm7' | 'ucs2';

/** The encoding that a text needs. */
export function encodingOf(text: string): SmsEncoding {
  return new SegmentedMessage(text).encodingName === 'GSM-7' ? 'gsm7' : 'ucs2';
}
