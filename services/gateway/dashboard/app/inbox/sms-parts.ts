import { SegmentedMessage } from 'sms-segments-calculator';

/** Shows the number of parts, because each is charged for. */
export function partsWords(text: string): string {
  if (text === '') return '0 parts';
  const { segmentsCount, encodingName } = new SegmentedMessage(text);
  const count = `${segmentsCount} ${segmentsCount === 1 ? 'part' : 'parts'}`;
  return encodingName === 'GSM-7' ? count : `${count}, with special characters`;
}
