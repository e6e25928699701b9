import { type Markup, markup } from '@parley/http';
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';

/** A guide as parts of a page. */
export interface GuideParts {
  readonly title: string;
  /** The first paragraph as text. */
  readonly summary: string;
  readonly introduction: Markup;
  readonly sections: readonly { readonly id: string; readonly text: string; readonly content: Markup }[];
}

/** A block of code in a guide: its language, and the file that it is or the terminal that it belongs to. */
export interface CodeBlock {
  readonly language: string;
  readonly file?: string;
  readonly terminal?: string;
}

/** What is behind the backticks that open a block: `ts receiver.ts`, `sh terminal=receiver`. */
export function codeBlock(info: string): CodeBlock {
  const [language = '', detail = ''] = info.trim().split(/\s+/);
  const [, terminal] = /^terminal=(\S+)$/.exec(detail) ?? [];
  if (terminal !== undefined) return { language, terminal };
  return detail === '' ? { language } : { language, file: detail };
}

const renderer: RendererObject = {
  code({ text, lang = '' }) {
    const { language, file, terminal } = codeBlock(lang);
    const heading = file ?? (language === 'text' ? 'Output' : 'Commands');
    const where = terminal === undefined ? heading : `${heading}, terminal “${terminal}”`;
    return markup`<figure><figcaption>${where}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>\n`
      .html;
  },
  link({ href, tokens }) {
    return markup`<a href="${guideLink(href)}">${{ html: this.parser.parseInline(tokens) }}</a>`.html;
  },
  html({ text }) {
    throw new Error(`a guide has no HTML of its own: ${text}`);
  },
};

/** Of another guide its page; other links are addresses. */
function guideLink(href: string): string {
  const [, name, anchor = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name !== undefined) return name + anchor;
  if (!/^(https?:|#)/.test(href)) throw new Error(`a guide links to ${href}, which is on no page`);
  return href;
}

const marked = new Marked({ renderer });

export function readGuide(text: string): GuideParts {
  const [title, ...tokens] = marked.lexer(text).filter(({ type }) => type !== 'space');
  if (title?.type !== 'heading' || title['depth'] !== 1) throw new Error('a guide begins with its title');
  const headings = tokens.flatMap((token, at) => (token.type === 'heading' ? [at] : []));
  const first = tokens[0];
  return {
    title: plainText(title as Tokens.Heading),
    summary: first?.type === 'paragraph' ? plainText(first as Tokens.Paragraph) : '',
    introduction: html(tokens.slice(0, headings[0])),
    sections: headings.map((at, index) => {
      const heading = tokens[at] as Tokens.Heading;
      const text = plainText(heading);
      return { id: anchorOf(text), text, content: html(tokens.slice(at + 1, headings[index + 1])) };
    }),
  };
}

function html(tokens: Token[]): Markup {
  return { html: marked.parser(tokens) };
}

function plainText({ text }: Tokens.Heading | Tokens.Paragraph): string {
  return text
    .replaceAll('`', '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('\n', ' ');
}

/** As GitHub makes them. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
