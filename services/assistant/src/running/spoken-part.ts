/** How far into a text its audio is: words are taken to be as long as their letters. */
interface Progress {
  readonly playedMs: number;
  readonly lengthMs: number;
}

/** The last beginning of a word that was played; 0 for none. */
function wordBoundary(text: string, { playedMs, lengthMs }: Progress): number {
  if (lengthMs <= 0 || playedMs <= 0) return 0;
  const at = Math.floor((text.length * Math.min(playedMs, lengthMs)) / lengthMs);
  if (at >= text.length) return text.length;
  return text.lastIndexOf(' ', at - 1) + 1;
}

/** What was heard of a text that was stopped: whole words. */
export function spokenPart(text: string, progress: Progress): string {
  return text.slice(0, wordBoundary(text, progress)).trimEnd();
}

/** Where to go on with a text that was stopped: at the beginning of the word it was stopped in. */
export function resumeAtMs(text: string, progress: Progress): number {
  if (text === '' || progress.lengthMs <= 0) return 0;
  const boundary = wordBoundary(text, progress);
  return boundary >= text.length ? progress.lengthMs : (boundary / text.length) * progress.lengthMs;
}
