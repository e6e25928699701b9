import type { LatestItem } from '../projection/thread.ts';

const PREVIEW_LENGTH_MAX = 160;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The preview of the latest item. `text`: the body of a text, or a transcription. */
export function previewOf(item: LatestItem, text: string | null | undefined): string {
  return cut(text?.trim() || fallbackLabel(item));
}

function fallbackLabel({ content, direction }: LatestItem): string {
  if (content.type === 'voicemail') return 'Voicemail';
  if (content.type === 'message') return 'Text message';
  if (direction === 'outbound') return 'Outgoing call';
  return content.missed ? 'Missed call' : 'Incoming call';
}

/** Never through the middle of what a reader sees as one character. */
function cut(text: string): string {
  if (text.length <= PREVIEW_LENGTH_MAX) return text;
  let end = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    if (index + segment.length > PREVIEW_LENGTH_MAX) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
