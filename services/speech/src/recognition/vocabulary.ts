/** The text that each token of a model stands for. */
export type Vocabulary = readonly string[];

/** The vocabulary in the program text of `llama-tokenizer-js`: its lines in base64. Nothing of the program is run. */
export function readVocabulary(program: string): Vocabulary {
  const [, base64] = /llama_vocab_base64 = "([^"]+)"/.exec(program) ?? [];
  if (base64 === undefined) throw new Error('a tokenizer without a vocabulary');
  return Buffer.from(base64, 'base64').toString('utf8').split('\n');
}

/** What SentencePiece writes for a space. */
const SPACE = '\u2581';
/** A byte of a character that is not in the vocabulary. */
const BYTE = /^<0x([0-9A-F]{2})>$/;
/** Tokens for the beginning, the end and the unknown. */
const SPECIAL = /^<\/?(s|unk)>$/;

export function textOfTokens(vocabulary: Vocabulary, tokens: readonly number[]): string {
  const bytes = tokens.map((token) => {
    const piece = vocabulary[token] ?? '';
    const [, byte] = BYTE.exec(piece) ?? [];
    if (byte !== undefined) return Buffer.from(byte, 'hex');
    return Buffer.from(SPECIAL.test(piece) ? '' : piece.replaceAll(SPACE, ' '));
  });
  return Buffer.concat(bytes).toString('utf8').trim();
}
