/** HTML that is safe to write: made by `markup`, which escapes everything that is not markup itself. */
export interface Markup {
  readonly html: string;
}

type Piece = Markup | string | number | undefined | false | null | readonly Piece[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** `` markup`<p>${text}</p>` ``: text is escaped, markup is not, lists are joined, nothing is nothing. */
export function markup(strings: TemplateStringsArray, ...pieces: Piece[]): Markup {
  let html = strings[0] ?? '';
  pieces.forEach((piece, i) => (html += render(piece) + strings[i + 1]));
  return { html };
}

function render(piece: Piece): string {
  if (piece === undefined || piece === null || piece === false) return '';
  if (Array.isArray(piece)) return piece.map(render).join('');
  if (typeof piece === 'object') return (piece as Markup).html;
  return String(piece).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
