/** The text of an e-mail; `html` has the same content. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Paragraph by paragraph; the one that is `link` becomes one. */
export function mailText(words: { subject: string; paragraphs: readonly string[]; link?: string }): MailText {
  const { subject, paragraphs, link } = words;
  const html = paragraphs.map((text) =>
    text === link ? `<p><a href="${escape(text)}">${escape(text)}</a></p>` : `<p>${escape(text)}</p>`,
  );
  return {
    subject: subject.replaceAll(/[\r\n]+/g, ' '),
    text: paragraphs.join('\n\n'),
    html: `<!doctype html><html lang="en"><body>${html.join('')}</body></html>`,
  };
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
