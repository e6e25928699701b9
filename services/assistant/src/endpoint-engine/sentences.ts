/** Cuts a text that arrives in pieces into sentences, each as soon as it is complete. */
export interface SentenceSplitter {
  /** The sentences that are complete now. */
  push(piece: string): string[];
  /** How much has arrived of a sentence that is not complete. */
  readonly pendingLength: number;
  /** What is left at the end of the text. */
  end(): string[];
}

/** The end of a sentence, with the quotes and brackets that belong to it. */
const END = /[.!?…]+["'”’»)\]*_]*(?=\s)|[。！？]|\n/gu;

const ABBREVIATIONS = new Set(
  'mr mrs ms dr prof st no nr approx ca incl vs etc e.g i.e ext tel tlf kl evtl bl.a f.eks dvs inkl bzw z.b d.h usw u.a sr jr jan feb mar apr jun jul aug sep sept oct okt nov dec dez dept inc ltd co'.split(
    ' ',
  ),
);

/** Languages in which a point makes a number the one of an order: `5. Mai`. */
const WITH_ORDINAL_POINT = new Set(['de', 'da']);

export function sentenceSplitter(language: string): SentenceSplitter {
  const hasOrdinalPoint = WITH_ORDINAL_POINT.has(language.split('-', 1)[0]!);
  let pending = '';

  function complete(): string[] {
    const sentences: string[] = [];
    let from = 0;
    for (const { 0: mark, index } of pending.matchAll(END)) {
      const end = index + mark.length;
      const behind = pending.slice(end).trimStart();
      // What follows decides about some ends, and has not arrived yet.
      if (mark.startsWith('.') && !endsSentence(pending.slice(from, index), behind, hasOrdinalPoint)) continue;
      sentences.push(pending.slice(from, end));
      from = end;
    }
    pending = pending.slice(from);
    return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
  }

  return {
    push(piece) {
      pending += piece;
      return complete();
    },
    get pendingLength() {
      return pending.trim().length;
    },
    end() {
      pending += '\n';
      return complete();
    },
  };
}

/** Whether a point ends a sentence. */
function endsSentence(before: string, behind: string, hasOrdinalPoint: boolean): boolean {
  const word = /[\p{L}\p{N}.]+$/u.exec(before)?.[0].toLowerCase() ?? '';
  if (/^[ap]\.?m$/.test(word)) return /^\p{Lu}/u.test(behind);
  if (ABBREVIATIONS.has(word) || /^\p{L}$/u.test(word)) return false;
  if (!/^\d{1,2}$/.test(word)) return true;
  // The number of an item in a list, or of a day.
  const isItem = before.trimStart() === word;
  return !isItem && !hasOrdinalPoint;
}

/** A text without the thoughts that some models write before it, as `<think>…</think>`. */
export function thoughtFilter(): (piece: string) => string {
  const OPEN = '<think>';
  const CLOSE = '</think>';
  let held = '';
  let state: 'begins' | 'thinks' | 'speaks' = 'begins';
  return (piece) => {
    if (state === 'speaks') return piece;
    held += piece;
    if (state === 'begins') {
      const begin = held.trimStart();
      if (OPEN.startsWith(begin.slice(0, OPEN.length)) && begin.length < OPEN.length) return '';
      if (!begin.startsWith(OPEN)) {
        state = 'speaks';
        return held;
      }
      state = 'thinks';
    }
    const end = held.indexOf(CLOSE);
    if (end < 0) {
      held = held.slice(-CLOSE.length);
      return '';
    }
    state = 'speaks';
    return held.slice(end + CLOSE.length);
  };
}
