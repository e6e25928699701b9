/** Sentences or words of a text, trimmed; an unknown language is segmented like English. */
export function segments(text: string, language: string, granularity: 'sentence' | 'word'): string[] {
  return [...segmenter(language, granularity).segment(text)].map(({ segment }) => segment.trim()).filter(Boolean);
}

function segmenter(language: string, granularity: 'sentence' | 'word'): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language.replaceAll('_', '-'), { granularity });
  } catch {
    return new Intl.Segmenter('en', { granularity });
  }
}
