/** The part of a Hugging Face `tokenizer.json` that is used. */
export interface TokenizerFile {
  readonly model: { readonly vocab: Readonly<Record<string, number>>; readonly continuing_subword_prefix?: string };
}

const WORD_LENGTH_MAX = 100;
/** BERT treats ASCII symbols such as `$` and `+` as punctuation; each ideograph is a token. */
const PIECES =
  /[\p{P}\p{S}]|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\s\p{P}\p{S}\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+/gu;

/** BERT's uncased WordPiece: text to the model's numbers, without the marks of beginning and end. */
export function wordPiece({ model }: TokenizerFile): (text: string) => number[] {
  const vocabulary = new Map(Object.entries(model.vocab));
  const prefix = model.continuing_subword_prefix ?? '##';
  const unknown = vocabulary.get('[UNK]')!;

  function pieces(word: string): number[] {
    if (word.length > WORD_LENGTH_MAX) return [unknown];
    const ids: number[] = [];
    for (let start = 0; start < word.length;) {
      let end = word.length;
      let id: number | undefined;
      for (; end > start; end -= 1) {
        id = vocabulary.get((start > 0 ? prefix : '') + word.slice(start, end));
        if (id !== undefined) break;
      }
      if (id === undefined) return [unknown];
      ids.push(id);
      start = end;
    }
    return ids;
  }

  return (text) => {
    const plain = text
      .replaceAll(/[\p{Cc}\p{Cf}\ufffd]/gu, (sign) => (/\s/.test(sign) ? ' ' : ''))
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/\p{Mn}/gu, '');
    return (plain.match(PIECES) ?? []).flatMap(pieces);
  };
}
