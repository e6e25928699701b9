import { Parser } from 'htmlparser2';

const WEB_ADDRESS = /https?:\/\/[^\s<>"]+/gi;
/** Punctuation after an address that is not part of it. */
const AFTER_SENTENCE = /[.,;:!?'…]+$/;

/** The web addresses of a mail, each once: those of the text first, then those of the HTML, in reading order. */
export function linksOf(text: string | null, html: string | null): string[] {
  return [...new Set([...linksOfText(text ?? ''), ...linksOfHtml(html ?? '')])];
}

function linksOfText(text: string): string[] {
  return (text.match(WEB_ADDRESS) ?? []).map(withoutPunctuation);
}

function linksOfHtml(html: string): string[] {
  const links: string[] = [];
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name === 'a' && href && /^https?:\/\//i.test(href.trim())) links.push(href.trim());
    },
  });
  parser.end(html);
  return links;
}

/** Removes trailing punctuation; a closing bracket belongs to the address only if it was opened in it. */
function withoutPunctuation(address: string): string {
  let link = address.replace(AFTER_SENTENCE, '');
  for (const [open, close] of ['()', '[]', '{}'].map((pair) => [...pair] as [string, string])) {
    while (link.endsWith(close) && link.split(close).length > link.split(open).length) {
      link = link.slice(0, -1).replace(AFTER_SENTENCE, '');
    }
  }
  return link;
}
